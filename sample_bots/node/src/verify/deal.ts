/** The referee: one deal, move by move. */
import {
    type Card,
    type Move,
    type Suit,
    CLAIM,
    CLOSE,
    EXCHANGE,
    PASS,
    cardOf,
    isMarriage,
    marriageOf,
    partnerOf,
    sumOfPoints,
    suitOf,
    takes,
} from '../cards.js';
import { type Result, type Rules, type Seat, other } from './record.js';
import { type Ruleset, RULESETS } from './rulesets.js';
import { type Standing, claimed, counted, drawn, hasEnough } from './scoring.js';

/**
 * What is decided next: by the follower before a lead, whether to close; by the leader, the lead; by
 * the leader after a marriage, whether to claim; by the follower, a card.
 */
export type Stage = 'question' | 'lead' | 'announced' | 'follow' | 'over';

export class Deal implements Standing {
    readonly points: [number, number] = [0, 0];
    readonly tricks: [number, number] = [0, 0];
    closer: Seat | undefined;
    first: Seat | undefined;
    stage: Stage = 'lead';
    /** Known when the stage is `over`. */
    result: Result | undefined;

    private readonly ruleset: Ruleset;
    private readonly hands: [Set<Card>, Set<Card>];
    /** In the order in which it is drawn: the trump card is the last. */
    private readonly talon: Card[];
    private readonly trumpSuit: Suit;
    private readonly waiting: [number, number] = [0, 0];
    private leader: Seat;
    private led: Card = -1;

    constructor(
        private readonly rules: Rules,
        pack: readonly Card[],
        dealer: Seat,
    ) {
        this.ruleset = RULESETS[rules.name];
        this.leader = other(dealer);
        const served = (first: 0 | 1) => new Set(pack.slice(0, 12).filter((_, i) => i % 2 === first));
        this.hands = dealer === 1 ? [served(0), served(1)] : [served(1), served(0)];
        const trumpCard = pack[12] as Card;
        this.trumpSuit = suitOf(trumpCard);
        this.talon = [...pack.slice(13), trumpCard];
        this.startTrick(this.leader);
    }

    /** Whose decision it is. */
    get seat(): Seat {
        const follows = this.stage === 'question' || this.stage === 'follow';
        return follows ? other(this.leader) : this.leader;
    }

    get legal(): Move[] {
        const claim = this.ruleset.claims ? [CLAIM] : [];
        const exchange = this.mayExchange ? [EXCHANGE] : [];
        switch (this.stage) {
            case 'question':
                return [CLOSE, PASS, ...claim];
            case 'lead': {
                const close = this.mayClose ? [CLOSE] : [];
                const hand = this.hands[this.leader];
                return [...hand, ...marriagesIn(hand), ...close, ...exchange, ...claim];
            }
            case 'announced':
                return [CLAIM, PASS];
            case 'follow':
                return [...this.followingCards(), ...exchange, ...claim];
            case 'over':
                return [];
        }
    }

    /**
     * The move that the referee makes itself: the only one that is no false claim. Before a lead there
     * is none, as there are always two.
     */
    get forced(): Move | undefined {
        const reasonable = this.legal.filter((move) => move !== CLAIM || hasEnough(this, this.seat));
        return reasonable.length === 1 ? reasonable[0] : undefined;
    }

    /** Makes a legal move. */
    play(move: Move): void {
        const seat = this.seat;
        switch (move) {
            case CLAIM:
                this.end(claimed(this.rules, this, seat));
                break;
            case CLOSE:
                this.closer = seat;
                this.stage = 'lead';
                break;
            case PASS:
                this.stage = this.stage === 'question' ? 'lead' : 'follow';
                break;
            case EXCHANGE:
                this.exchange(seat);
                break;
            default:
                if (this.stage === 'lead') {
                    this.lead(seat, move);
                } else {
                    this.follow(seat, move);
                }
        }
    }

    private get isStrict(): boolean {
        return this.closer !== undefined || this.talon.length === 0;
    }

    private get anyTrick(): boolean {
        return this.tricks[0] + this.tricks[1] > 0;
    }

    private get mayClose(): boolean {
        return (
            this.closer === undefined &&
            this.talon.length >= this.ruleset.closingTalon &&
            (this.anyTrick || !this.ruleset.closingNeedsTrick)
        );
    }

    private get mayExchange(): boolean {
        const open =
            (this.ruleset.exchange === 'after-a-trick' && this.anyTrick) ||
            (this.ruleset.exchange === 'after-own-trick' && this.tricks[this.seat] > 0);
        return open && !this.isStrict && this.hands[this.seat].has(this.trumpNine);
    }

    /** The nine is the lowest card of its suit. */
    private get trumpNine(): Card {
        return this.trumpSuit * 6;
    }

    private followingCards(): Card[] {
        const hand = [...this.hands[this.seat]];
        if (!this.isStrict) {
            return hand;
        }
        const ofSuit = (suit: Suit) => hand.filter((card) => suitOf(card) === suit);
        const choices = [ofSuit(suitOf(this.led)), ofSuit(this.trumpSuit), hand];
        return choices.find((cards) => cards.length > 0) ?? [];
    }

    private startTrick(leader: Seat): void {
        this.leader = leader;
        this.stage = this.ruleset.followerIsAsked && this.mayClose ? 'question' : 'lead';
    }

    private exchange(seat: Seat): void {
        const [trumpCard] = this.talon.splice(-1, 1, this.trumpNine);
        this.hands[seat].delete(this.trumpNine);
        this.hands[seat].add(trumpCard as Card);
    }

    private lead(seat: Seat, move: Move): void {
        this.led = cardOf(move);
        this.hands[seat].delete(this.led);
        this.stage = 'follow';
        if (isMarriage(move)) {
            this.announce(seat, suitOf(this.led) === this.trumpSuit ? 40 : 20);
        }
    }

    private announce(seat: Seat, worth: number): void {
        if (this.ruleset.marriageWaits && this.tricks[seat] === 0) {
            this.waiting[seat] += worth;
            return;
        }
        this.credit(seat, worth);
        if (this.result === undefined && this.ruleset.claims && hasEnough(this, seat)) {
            this.stage = 'announced';
        }
    }

    private follow(seat: Seat, card: Card): void {
        this.hands[seat].delete(card);
        const winner = takes(card, this.led, this.trumpSuit) ? seat : other(seat);
        const isLast = this.hands[seat].size === 0;
        this.tricks[winner] += 1;
        this.credit(
            winner,
            sumOfPoints([this.led, card]) +
                this.waiting[winner] +
                (isLast ? this.ruleset.lastTrickPoints : 0),
        );
        this.waiting[winner] = 0;
        if (this.result !== undefined) {
            return;
        }
        if (!this.isStrict) {
            this.draw(winner);
            this.draw(other(winner));
        }
        if (this.hands[winner].size === 0) {
            this.end(counted(this.rules, this, winner));
        } else {
            this.startTrick(winner);
        }
    }

    private draw(seat: Seat): void {
        this.hands[seat].add(this.talon.shift() as Card);
    }

    private credit(seat: Seat, points: number): void {
        this.points[seat] += points;
        if (hasEnough(this, seat)) {
            this.first ??= seat;
        }
        const both = hasEnough(this, 0) && hasEnough(this, 1);
        if (both && this.ruleset.bothHave66 === 'drawn-at-once') {
            this.end(drawn(this, 'drawn-both-66'));
        }
    }

    private end(result: Result): void {
        this.result = result;
        this.stage = 'over';
    }
}

function marriagesIn(hand: ReadonlySet<Card>): Move[] {
    return [...hand].flatMap((card) => {
        const partner = partnerOf(card);
        return partner !== undefined && hand.has(partner) ? [marriageOf(card)] : [];
    });
}
