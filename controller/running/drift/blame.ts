import { noSuch } from '../../../platform/core/problem.ts'
import type { Vault } from '../../../platform/secrets/vault.ts'
import { elementsOf, isSet, keyOfList, type Shape } from '../../../schemas/members/keyed-list.ts'
import { elementPath, isBelow, memberPath } from '../../../schemas/members/member-path.ts'
import type { Blame, BlamedMember } from '../../../schemas/operations/gitops/blame.ts'
import { memberAt, same } from '../../planning/diff.ts'
import { display, isMembers } from '../../planning/masking.ts'
import { sidesOf, type Sides } from '../../planning/drift.ts'
import type { Owned } from '../../planning/ownership.ts'
import type { DesiredResource, Position } from '../../reading/desired-state.ts'
import { idOf } from '../../reading/graph.ts'
import { isController, type Reconciler, type Writer } from '../../reconciler.ts'
import type { SourceState } from '../sources/source-state.ts'
import type { LiveSystem } from '../../watching/live-system.ts'
import type { Sources } from '../sources/sources.ts'

interface Parts {
  sources: Sources
  live: LiveSystem
  vault: Vault
}

/** All fields, or those above and below `path`. Throws 404 for an unknown field. */
export async function blameOf(owned: Owned, path: string | undefined, parts: Parts): Promise<Blame> {
  const { live, vault } = parts
  const { kind, name, source } = owned
  const reconciler = live.reconcilerOf(kind)
  const observed = await live.observe(owned)
  const sides = sidesOf(owned, observed, { vault, definition: reconciler.definition })
  const paths = leaves([sides.desired.value, sides.live?.value], reconciler.definition)
  const asked = paths.filter((each) => path === undefined || isBelow(each, [path]) || isBelow(path, [each]))
  if (asked.length === 0) throw noSuch(`field of ${idOf(owned)}`, path!, paths)
  const members: BlamedMember[] = []
  for (const each of asked) members.push(await blameMember(owned, each, { ...parts, sides, reconciler }))
  return { kind, name, source, members }
}

interface Blaming extends Parts {
  sides: Sides
  reconciler: Reconciler
}

async function blameMember(owned: Owned, path: string, parts: Blaming): Promise<BlamedMember> {
  const { sides, reconciler, sources } = parts
  const shape = reconciler.definition
  const [wanted, applied, is] = [sides.desired, sides.applied, sides.live].map((side) =>
    memberAt(side?.value, path, shape),
  )
  const source = sources.find(owned.source)
  const read = source && lastRead(owned, source)
  const place = source ? placeOf(owned, path, source) : null
  const noWriter = { at: null, request_id: null, endpoint: null }
  const value = display(is)
  // During a manifest change, the live value may still be that of the earlier revision.
  if (same(is, wanted) || (sides.applied !== null && same(is, applied)))
    return read?.setsField?.(path) === false
      ? { path, value, owner: 'default', place: null, ...noWriter }
      : { path, value, owner: `git:${owned.source}`, place, ...noWriter }
  const writer = owned.liveId === null ? null : await reconciler.writer(owned.liveId, path)
  // If the controller is the last recorded writer, the actual one left no record.
  return { path, value, owner: `api:${hand(writer) ? writer!.actor : 'unknown'}`, place, ...(hand(writer) ?? noWriter) }
}

function hand(writer: Writer | null): Pick<BlamedMember, 'at' | 'request_id' | 'endpoint'> | null {
  if (writer === null || isController(writer)) return null
  return { at: writer.at, request_id: writer.requestId, endpoint: writer.endpoint }
}

function leaves(sides: readonly unknown[], shape: Shape, at = ''): string[] {
  const by = keyOfList(at, shape.keyed)
  const given = sides.filter((side) => side !== null && side !== undefined)
  const below = by === null ? partsOf(given, at) : elementsAt(given, at, by)
  if (below === null || below.size === 0) return at === '' ? [] : [at]
  return [...below].flatMap(([path, values]) => (by !== null && isSet(by) ? [path] : leaves(values, shape, path)))
}

function partsOf(sides: readonly unknown[], at: string): Map<string, unknown[]> | null {
  const records = sides.filter(isMembers)
  if (records.length < sides.length) return null
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].sort()
  return new Map(names.map((name) => [memberPath(at, name), records.map((record) => record[name])]))
}

function elementsAt(sides: readonly unknown[], at: string, by: string): Map<string, unknown[]> | null {
  const lists = sides.map((side) => elementsOf(side, by))
  if (lists.some((list) => !list)) return null
  const keys = [...new Set(lists.flatMap((list) => [...list!.keys()]))].sort()
  return new Map(keys.map((key) => [elementPath(at, key), lists.map((list) => list!.get(key))]))
}

/** Undefined if none was read since the daemon started, or the manifest is gone. */
export function lastRead(
  { kind, name }: Pick<Owned, 'kind' | 'name'>,
  source: SourceState,
): DesiredResource | undefined {
  return source.read?.resources.find((resource) => resource.kind === kind && resource.name === name)
}

/** `file:line:column` of a field (dotted; `''` is the name), or of its nearest written parent. */
export function placeOf(owned: Owned, path: string, source: SourceState): string {
  const resource = lastRead(owned, source)
  const { file } = resource ?? owned
  const { line, column }: Position = resource && path !== '' ? resource.position(path) : (resource ?? owned)
  return `${file}:${line}:${column}`
}
