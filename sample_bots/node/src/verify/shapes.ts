/** Kinds of values: a shape takes what was parsed, and returns it with its type or throws. */
import { Difference, shown } from './difference.js';

export type Shape<T> = (value: unknown, name: string) => T;
/** The type of what has this shape. */
export type Shaped<S> = S extends Shape<infer T> ? T : never;

const wrong = (name: string, expected: string, value: unknown): Difference =>
    new Difference(name, expected, shown(value));

/** Half of a surrogate pair: JSON can spell it, UTF-8 cannot. */
const HALF_A_PAIR = /\p{Surrogate}/u;

export const text =
    (pattern = /^/, what = 'a text'): Shape<string> =>
    (value, name) => {
        if (typeof value !== 'string' || !pattern.test(value) || HALF_A_PAIR.test(value)) {
            throw wrong(name, what, value);
        }
        return value;
    };

export const count =
    (least = 0, most = Number.MAX_SAFE_INTEGER): Shape<number> =>
    (value, name) => {
        if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most) {
            throw wrong(name, `a whole number from ${least} to ${most}`, value);
        }
        return value as number;
    };

export const oneOf =
    <const T extends readonly (string | number | boolean)[]>(...values: T): Shape<T[number]> =>
    (value, name) => {
        if (!values.includes(value as T[number])) {
            throw wrong(name, `one of ${values.join(', ')}`, value);
        }
        return value as T[number];
    };

export const flag = oneOf(true, false);

export const orNull =
    <T>(shape: Shape<T>): Shape<T | null> =>
    (value, name) =>
        value === null ? null : shape(value, name);

export const list =
    <T>(shape: Shape<T>, least = 0, most = Number.MAX_SAFE_INTEGER): Shape<T[]> =>
    (value, name) => {
        if (!Array.isArray(value) || value.length < least || value.length > most) {
            throw wrong(name, least === most ? `a list of ${least}` : 'a list', value);
        }
        return value.map((item, index) => shape(item, `${name}[${index}]`));
    };

/** A list in which nothing is twice. */
export const different =
    <T extends string | number>(shape: Shape<T[]>): Shape<T[]> =>
    (value, name) => {
        const items = shape(value, name);
        if (new Set(items).size < items.length) {
            throw wrong(name, 'nothing twice', value);
        }
        return items;
    };

export const pair = <T>(shape: Shape<T>): Shape<[T, T]> =>
    list(shape, 2, 2) as Shape<unknown> as Shape<[T, T]>;

/** An object with these keys and no others. */
export const object =
    <T extends object>(shapes: { [K in keyof T]: Shape<T[K]> }): Shape<T> =>
    (value, name) => {
        const keys = Object.keys(shapes) as (keyof T & string)[];
        if (!isObject(value) || Object.keys(value).length !== keys.length) {
            throw wrong(name || 'keys', `an object with ${keys.join(', ')}`, value);
        }
        for (const key of keys) {
            if (!Object.hasOwn(value, key)) {
                throw wrong(name || 'keys', `a key ${key}`, value);
            }
            shapes[key](value[key], name === '' ? key : `${name}.${key}`);
        }
        return value as T;
    };

/** An object that may have these keys and no others. */
export const some =
    <K extends string, T>(keys: readonly K[], shape: Shape<T>): Shape<Partial<Record<K, T>>> =>
    (value, name) => {
        if (!isObject(value) || !Object.keys(value).every((key) => keys.includes(key as K))) {
            throw wrong(name, `an object with some of ${keys.join(', ')}`, value);
        }
        Object.entries(value).forEach(([key, item]) => shape(item, `${name}.${key}`));
        return value as Partial<Record<K, T>>;
    };

export function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
