/** A game: its deals dealt and refereed again, its end, its score. */
import { type Card, type Move, CARD_COUNT, PASS, nameOf, nameOfMove } from '../cards.js';
import { Deal } from './deal.js';
import { Difference, at, holds, same, shown } from './difference.js';
import { type DealLine, type Game, type Header, type Result, type Seat, other } from './record.js';
import { RULESETS } from './rulesets.js';
import type { ScheduledGame } from './schedule.js';
import { packOf } from './shuffle.js';

const MOST_DEALS = 200;
/** The faults of a bot that owes a move. */
const FAULTS_OF_A_MOVE = ['illegal', 'malformed', 'timeout'];

const CARDS = new Map([...Array(CARD_COUNT).keys()].map((card) => [nameOf(card), card]));
const MOVES = new Map([...Array(PASS + 1).keys()].map((move) => [nameOfMove(move), move]));

/** Checks a game; without a key, all but the packs. */
export function checkGame(
    header: Header,
    scheduled: ScheduledGame,
    key: Buffer | null,
    game: Game,
): void {
    same('game_id', `${header.slug}.${scheduled.number}`, game.game_id);
    same('round', scheduled.round, game.round);
    same('entrants', scheduled.entrants, game.entrants);
    same('game_index', scheduled.gameIndex, game.game_index);
    const course = new Course(header, scheduled, key);
    game.deals.forEach((deal, index) => at({ deal: index }, () => course.play(deal)));
    checkEnd(course, game);
}

/** A game as it goes on. */
class Course {
    readonly score: [number, number] = [0, 0];
    /** The last deal, if it broke off. */
    brokenOff: Replay | undefined;
    private dealer: Seat;
    private nextDeal = 0;
    private dealsWithResult = 0;

    constructor(
        private readonly header: Header,
        private readonly scheduled: ScheduledGame,
        private readonly key: Buffer | null,
    ) {
        this.dealer = scheduled.gameIndex % 2 === 0 ? 0 : 1;
    }

    /** How the game has ended by itself. */
    get end(): { end: Game['end']; winner: Seat | null } | undefined {
        const [one, two] = this.score;
        const ahead = one === two ? null : one > two ? 0 : 1;
        if (Math.max(one, two) >= this.header.rules.target) {
            return { end: 'target', winner: ahead };
        }
        return this.dealsWithResult === MOST_DEALS ? { end: 'deal-limit', winner: ahead } : undefined;
    }

    play(line: DealLine): void {
        holds(this.end === undefined, 'deal', 'none, as the game is over', line.deal);
        holds(this.brokenOff === undefined, 'deal', 'none after one that broke off', line.deal);
        same('deal', this.nextDeal, line.deal);
        if (!this.isOfAnEarlierPlay(line)) {
            same('dealer', this.dealer, line.dealer);
        }
        this.checkPack(line);
        const deal = new Deal(this.header.rules, line.pack.map(cardNamed), line.dealer);
        const replay = new Replay(deal, line);
        replay.run();
        this.checkComments(line);
        this.checkResult(line, replay);
        this.nextDeal += 1;
    }

    /** Before a game is played anew all its deals are void, and went their own way. */
    private isOfAnEarlierPlay(line: DealLine): boolean {
        return line.void && this.dealsWithResult === 0;
    }

    private checkPack(line: DealLine): void {
        if (this.key === null) {
            return;
        }
        const pack = packOf(this.key, {
            ruleset: this.header.rules.name,
            slug: this.header.slug,
            entrants: this.scheduled.entrants,
            gameIndex: this.scheduled.gameIndex,
            deal: line.deal,
        });
        same('pack', pack.map(nameOf).join(' '), line.pack.join(' '));
    }

    private checkComments({ comments, moves }: DealLine): void {
        if (this.header.state !== 'finished') {
            same('comments', [], comments);
        }
        comments.forEach(({ ply }, index) => {
            const after = comments[index - 1]?.ply ?? -1;
            holds(ply > after && ply < moves.length, 'comments', 'plies of the deal, ascending', ply);
        });
    }

    private checkResult(line: DealLine, replay: Replay): void {
        const { result } = replay.deal;
        if (line.void) {
            same('result', null, line.result);
            if (!this.isOfAnEarlierPlay(line)) {
                holds(result === undefined, 'void', 'false, as the deal came to its end', line.void);
            }
        } else if (result === undefined) {
            same('result', null, line.result);
            this.brokenOff = replay;
        } else {
            same('result', result, line.result);
            this.pay(result);
        }
    }

    private pay({ game_points, winner }: Result): void {
        this.dealsWithResult += 1;
        if (winner !== null) {
            this.score[winner] += game_points;
        }
        if (RULESETS[this.header.rules.name].dealsNext === 'other') {
            this.dealer = other(this.dealer);
        } else {
            this.dealer = winner ?? this.dealer;
        }
    }
}

/** The moves of a deal, made again one after the other. */
class Replay {
    /** Who decided before a lead, by seat: in a deal it is always the same one. */
    private readonly questions: ('bot' | 'referee' | undefined)[] = [undefined, undefined];

    constructor(
        readonly deal: Deal,
        private readonly line: DealLine,
    ) {}

    run(): void {
        const { moves, ms, referee } = this.line;
        same('length of ms', moves.length, ms.length);
        const plies = moves.map((name, ply) => ({ name, ply, byReferee: referee.includes(ply) }));
        const made = plies.filter(({ byReferee }) => byReferee).map(({ ply }) => ply);
        for (const { name, ply, byReferee } of plies) {
            at({ ply }, () => this.step(name, byReferee, ms[ply] ?? 0));
        }
        same('referee', made, referee);
    }

    /** Whether a bot owes the next move, as far as the moves tell. */
    get botIsAsked(): boolean {
        const { deal, questions } = this;
        return deal.stage === 'question'
            ? questions[deal.seat] !== 'referee'
            : deal.forced === undefined;
    }

    private step(name: string, byReferee: boolean, ms: number): void {
        const { forced, legal, stage } = this.deal;
        const move = MOVES.get(name);
        if (move === undefined || !legal.includes(move)) {
            throw new Difference('move', `one of ${legal.map(nameOfMove).join(' ')}`, shown(name));
        }
        if (stage === 'question') {
            this.checkQuestion(move, byReferee);
        } else {
            same('made by the referee', forced !== undefined, byReferee);
            same('move', nameOfMove(forced ?? move), name);
        }
        if (byReferee) {
            same('ms of the referee', 0, ms);
        }
        this.deal.play(move);
    }

    private checkQuestion(move: Move, byReferee: boolean): void {
        const { seat } = this.deal;
        const who = byReferee ? 'referee' : 'bot';
        same('who decides before a lead', this.questions[seat] ?? who, who);
        this.questions[seat] = who;
        if (byReferee) {
            same('move of the referee', nameOfMove(PASS), nameOfMove(move));
        }
    }
}

function checkEnd(course: Course, game: Game): void {
    const { brokenOff, end } = course;
    if (end !== undefined) {
        same('end', end.end, game.end);
        same('winner', end.winner, game.winner);
    } else if (game.end === 'forfeit') {
        checkForfeit(brokenOff, game);
    } else {
        same('end', 'void', game.end);
        same('winner', null, game.winner);
    }
    if (game.end !== 'forfeit') {
        same('fault', null, game.fault);
        same('faulting_seat', null, game.faulting_seat);
    }
    if (game.end === 'target' || game.end === 'deal-limit') {
        same('reason', '', game.reason);
    }
    same('score', course.score, game.score);
}

function checkForfeit(brokenOff: Replay | undefined, game: Game): void {
    if (game.fault === null || game.faulting_seat === null) {
        throw new Difference('fault', 'a fault of a seat', 'null');
    }
    same('winner', other(game.faulting_seat), game.winner);
    if (FAULTS_OF_A_MOVE.includes(game.fault)) {
        const isOwed = brokenOff?.botIsAsked === true;
        holds(isOwed, 'fault', 'none of a move, as no bot owed one', game.fault);
        same('faulting_seat', brokenOff?.deal.seat, game.faulting_seat);
    }
}

function cardNamed(name: string): Card {
    const card = CARDS.get(name);
    if (card === undefined) {
        throw new Difference('pack', 'cards', shown(name));
    }
    return card;
}
