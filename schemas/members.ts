// Tables of fields, from which manifest, body, patch, record and spec are derived.
import * as Type from 'typebox'
import type { KeyedLists } from './members/keyed-list.ts'
import type { Cost } from './kind.ts'
import { topMember } from './members/member-path.ts'
import type { Widening, Widens } from './members/widening.ts'
import type { Written } from './members/written.ts'
import { orNull } from './shapes.ts'

/** Properties of a field besides its type. */
interface Facts<Record extends Type.TSchema, Patch extends Type.TSchema> {
  /** Default: `in-place`. */
  cost?: Cost
  /** Paths of secrets below it, `*` for any name: `[['*']]`. */
  secrets?: string[][]
  /** Compared, shown and reported as a whole. */
  atom?: boolean
  /** Whether a change grants more; default: every change does. */
  widens?: Widens
  /** Shortest form in a manifest of a canonical value, if it differs; null if it is omitted. */
  written?(canonical: any): unknown
  /** Key field of its elements, or of lists below it, by list. */
  keyed?: string | { readonly [list: string]: string }
  /** Types in a record and in a patch, if different. */
  record?: Record
  patch?: Patch
}

/** A field in all its forms. `Value` is its type in the canonical spec. */
interface Member<
  Input extends Type.TSchema,
  Patch extends Type.TSchema,
  Record extends Type.TSchema,
  Plain extends Type.TSchema,
  Value,
> {
  /** In a manifest and a create body. */
  input: Input
  /** In a JSON Merge Patch; null restores the default. */
  patch: Patch
  record: Record
  /** Neither optional nor nullable. */
  plain: Plain
  /** Returns the canonical value; `all` is the complete input. */
  canonical(written: any, all: any): Value
  facts: Facts<Type.TSchema, Type.TSchema>
}
export type Members = Record<string, Member<Type.TSchema, Type.TSchema, Type.TSchema, Type.TSchema, unknown>>

type OrNull<T extends Type.TSchema> = Type.TUnion<[T, Type.TNull]>
const maybe = <T extends Type.TSchema>(type: T) => Type.Optional(type) as Type.TOptional<T>

export function required<T extends Type.TSchema>(
  type: T,
  facts: Facts<T, T> = {},
): Member<T, Type.TOptional<T>, T, T, Type.Static<T>> {
  return { input: type, patch: maybe(type), record: type, plain: type, canonical: (written) => written, facts }
}

/** An optional field; null if omitted. */
export function nullable<T extends Type.TSchema>(
  type: T,
  description?: string,
  facts: Facts<OrNull<T>, OrNull<T>> = {},
): Member<Type.TOptional<OrNull<T>>, Type.TOptional<OrNull<T>>, OrNull<T>, OrNull<T>, Type.Static<T> | null> {
  const either = orNull(type, description)
  const input = maybe(either)
  return { input, patch: input, record: either, plain: either, canonical: (written) => written ?? null, facts }
}

/** An optional field that `canonical` normalises. */
export function shaped<T extends Type.TSchema, Value, Record extends Type.TSchema = T, Patch extends Type.TSchema = T>(
  type: T,
  canonical: (written: Type.Static<T> | null | undefined, all: any) => Value,
  facts: Facts<Record, Patch> = {},
): Member<Type.TOptional<T>, Type.TOptional<OrNull<Patch>>, Record, T, Value> {
  const { record = type, patch = type } = facts
  return {
    input: maybe(type),
    patch: maybe(orNull(patch as Patch)),
    record: record as Record,
    plain: type,
    canonical,
    facts,
  }
}

/** An optional field with a default. */
export function withDefault<T extends Type.TSchema>(type: T, value: NoInfer<Type.Static<T>>, facts: Facts<T, T> = {}) {
  return shaped(type, (written): Type.Static<T> => written ?? value, facts)
}

/** Sorted, without duplicates. */
export function sortedSet(written: readonly string[] | null | undefined): string[] {
  return [...new Set(written)].sort()
}

function each<T extends Members, Form extends 'input' | 'patch' | 'record' | 'plain'>(
  table: T,
  form: Form,
): { [K in keyof T]: T[K][Form] } {
  const forms = Object.entries(table).map(([name, member]) => [name, member[form]])
  return Object.fromEntries(forms) as { [K in keyof T]: T[K][Form] }
}

export const inputOf = <T extends Members>(table: T) => each(table, 'input')
/** Fields of a JSON Merge Patch; null restores the default. */
export const patchOf = <T extends Members>(table: T) => each(table, 'patch')
export const recordOf = <T extends Members>(table: T) => each(table, 'record')

/** All fields optional, in their plain type. */
export function partialOf<T extends Members>(table: T): { [K in keyof T]: Type.TOptional<T[K]['plain']> } {
  const members = Object.entries(table).map(([name, member]) => [name, maybe(member.plain)])
  return Object.fromEntries(members) as { [K in keyof T]: Type.TOptional<T[K]['plain']> }
}

/** Canonical spec: every field present, defaults applied, null if unset. */
export type SpecOf<T extends Members> = { [K in keyof T]: ReturnType<T[K]['canonical']> }

/** Canonical spec of an input; unknown fields are dropped. */
export function canonical<T extends Members>(table: T, written: object): SpecOf<T> {
  const all = written as Record<string, unknown>
  const members = Object.entries(table).map(([name, member]) => [name, member.canonical(all[name], all)])
  return Object.fromEntries(members) as SpecOf<T>
}

/** Cost of changing the field at dotted `path`; `in-place` if unknown. */
export function costIn(table: Members): (path: string) => Cost {
  return (path) => {
    const member = topMember(path)
    return (Object.hasOwn(table, member) && table[member]!.facts.cost) || 'in-place'
  }
}

/** Paths of secrets in a manifest. */
export function secretsIn(table: Members): string[][] {
  return Object.entries(table).flatMap(([name, { facts }]) => (facts.secrets ?? []).map((path) => [name, ...path]))
}

/** Keyed lists of the table. */
export function keyedIn(table: Members): KeyedLists {
  const lists = Object.entries(table).flatMap(
    ([
      name,
      {
        facts: { keyed = {} },
      },
    ]) =>
      typeof keyed === 'string' ? [[name, keyed]] : Object.entries(keyed).map(([list, by]) => [`${name}.${list}`, by]),
  )
  return Object.fromEntries(lists) as KeyedLists
}

export function widensIn(table: Members): Widening {
  const named = Object.entries(table).flatMap(([name, { facts }]) => (facts.widens ? [[name, facts.widens]] : []))
  return Object.fromEntries(named) as Widening
}

/** Members whose form in a manifest differs from the canonical one. */
export function writtenIn(table: Members): Written {
  const named = Object.entries(table).flatMap(([name, { facts }]) => (facts.written ? [[name, facts.written]] : []))
  return Object.fromEntries(named) as Written
}

export function atomsIn(table: Members): string[] {
  return Object.keys(table).filter((name) => table[name]!.facts.atom)
}
