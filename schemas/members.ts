// A kind's members said once, each with shape, default and cost: manifest, body, patch, record and spec follow.
import * as Type from 'typebox'
import type { KeyedLists } from './members/keyed-list.ts'
import type { Cost } from './kind.ts'
import { topMember } from './members/member-path.ts'
import { orNull } from './shapes.ts'

/** What is to be known of a member beside its shape. */
interface Facts<Record extends Type.TSchema, Patch extends Type.TSchema> {
  /** What changing it costs the live resource; default `in-place`. */
  cost?: Cost
  /** Where secrets stand below it, `*` for any name: `[['*']]`. */
  secrets?: string[][]
  /** One value however it is built: compared, shown and reported as a whole. */
  atom?: boolean
  /** What tells the elements of the list it is apart, or of lists below it, by their names. */
  keyed?: string | { readonly [list: string]: string }
  /** Its shape in a record and in a patch, where that is not the shape it is written in. */
  record?: Record
  patch?: Patch
}

/** A member in each of its forms. `Value` is its type in the canonical spec. */
interface Member<
  Input extends Type.TSchema,
  Patch extends Type.TSchema,
  Record extends Type.TSchema,
  Plain extends Type.TSchema,
  Value,
> {
  /** In a manifest and in a create body. */
  input: Input
  /** In a JSON Merge Patch, where null puts the default back. */
  patch: Patch
  record: Record
  /** The bare shape: neither optional nor nullable by the form it stands in. */
  plain: Plain
  /** Its canonical value; `all` is everything that was written beside it. */
  canonical(written: any, all: any): Value
  facts: Facts<Type.TSchema, Type.TSchema>
}
export type Members = Record<string, Member<Type.TSchema, Type.TSchema, Type.TSchema, Type.TSchema, unknown>>

type OrNull<T extends Type.TSchema> = Type.TUnion<[T, Type.TNull]>
const maybe = <T extends Type.TSchema>(type: T) => Type.Optional(type) as Type.TOptional<T>

/** A member that every manifest and body gives. */
export function required<T extends Type.TSchema>(
  type: T,
  facts: Facts<T, T> = {},
): Member<T, Type.TOptional<T>, T, T, Type.Static<T>> {
  return { input: type, patch: maybe(type), record: type, plain: type, canonical: (written) => written, facts }
}

/** A member that may be left out, and is then null; writing null says the same. */
export function nullable<T extends Type.TSchema>(
  type: T,
  description?: string,
  facts: Facts<OrNull<T>, OrNull<T>> = {},
): Member<Type.TOptional<OrNull<T>>, Type.TOptional<OrNull<T>>, OrNull<T>, OrNull<T>, Type.Static<T> | null> {
  const either = orNull(type, description)
  const input = maybe(either)
  return { input, patch: input, record: either, plain: either, canonical: (written) => written ?? null, facts }
}

/** A member that may be left out and is then brought into its one form by `canonical`, as is one that was written. */
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

/** A member that may be left out, and then has a value all the same. */
export function withDefault<T extends Type.TSchema>(type: T, value: NoInfer<Type.Static<T>>, facts: Facts<T, T> = {}) {
  return shaped(type, (written): Type.Static<T> => written ?? value, facts)
}

/** Strings in no order: sorted, none twice. */
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

/** Members as a manifest and a create body give them. */
export const inputOf = <T extends Members>(table: T) => each(table, 'input')
/** Members as a JSON Merge Patch gives them: null puts the default back. */
export const patchOf = <T extends Members>(table: T) => each(table, 'patch')
/** Members as a record shows them: every one is there. */
export const recordOf = <T extends Members>(table: T) => each(table, 'record')

/** Any of the members, each in its bare shape. */
export function partialOf<T extends Members>(table: T): { [K in keyof T]: Type.TOptional<T[K]['plain']> } {
  const members = Object.entries(table).map(([name, member]) => [name, maybe(member.plain)])
  return Object.fromEntries(members) as { [K in keyof T]: Type.TOptional<T[K]['plain']> }
}

/** The canonical spec: every member present, defaults filled in, lists in order, null where unset. */
export type SpecOf<T extends Members> = { [K in keyof T]: ReturnType<T[K]['canonical']> }

/** The canonical spec of what was written; members that the table does not name are left out. */
export function canonical<T extends Members>(table: T, written: object): SpecOf<T> {
  const all = written as Record<string, unknown>
  const members = Object.entries(table).map(([name, member]) => [name, member.canonical(all[name], all)])
  return Object.fromEntries(members) as SpecOf<T>
}

/** What changing the member at `path` (dotted) costs; `in-place` for one that the table does not name. */
export function costIn(table: Members): (path: string) => Cost {
  return (path) => {
    const member = topMember(path)
    return (Object.hasOwn(table, member) && table[member]!.facts.cost) || 'in-place'
  }
}

/** Where secrets stand in a manifest, as paths. */
export function secretsIn(table: Members): string[][] {
  return Object.entries(table).flatMap(([name, { facts }]) => (facts.secrets ?? []).map((path) => [name, ...path]))
}

/** Lists of the members that go by element. */
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

/** Members that are one value however they are built. */
export function atomsIn(table: Members): string[] {
  return Object.keys(table).filter((name) => table[name]!.facts.atom)
}
