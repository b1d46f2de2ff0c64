import type { Drift, Resource, ResourceState, Waiting } from '../../../schemas/resource.ts'
import type { Source } from '../../../schemas/source.ts'
import type { TreeNode } from '../../parts/lists/tree-rows.ts'
import { STATES as LOOKS, type StateName } from '../../parts/states/states.ts'

export interface ResourceNode extends TreeNode {
  /** Null for a folder. */
  resource: Resource | null
  state: StateName
  /** Number of resources in a folder. */
  size: number
  children?: readonly ResourceNode[]
}

/** States of resources by urgency: the first one that applies is shown. */
const STATES: readonly (readonly [ResourceState, StateName])[] = [
  ['failing', 'failed'],
  ['contested', 'drifted'],
  ['drifted', 'drifted'],
  ['waiting', 'pending'],
  ['changed', 'update'],
  ['unknown', 'unknown'],
  ['suspended', 'suspended'],
]

export function stateOf({ states }: Pick<Resource, 'states'>): StateName {
  return STATES.find(([state]) => states.includes(state))?.[1] ?? 'ready'
}

const WAITS: Record<Waiting['reason'], string> = {
  WaitingForIdle: 'waits until the agent is idle',
  WaitingForSync: 'waits for a sync by a person',
  RestartPending: 'waits for the next pass',
}

export const waitingText = ({ reason }: Pick<Waiting, 'reason'>): string => WAITS[reason]

const ORDER = [...STATES.map(([, name]) => name), 'ready']
const RANKS = new Map(ORDER.map((state, index) => [state, index]))
const rank = (state: StateName) => RANKS.get(state)!

/** Words of a step do not fit a state. */
const WORDS: Partial<Record<StateName, string>> = { update: 'manifest changed' }

/** Words beside a resource or folder: "12", "drifted", "waits until the agent is idle". */
export function nodeText({ resource, state, size }: ResourceNode): string {
  if (resource === null) return size.toString()
  if (state === 'ready') return ''
  return state === 'pending' && resource.waiting !== null
    ? waitingText(resource.waiting)
    : (WORDS[state] ?? LOOKS[state].word)
}

export const GROUPINGS = ['folder', 'source'] as const
export type Grouping = (typeof GROUPINGS)[number]

const folderOfFile = (file: string): string => file.split('/').slice(0, -1).join('/') || '.'

/** A tree with a node per folder of manifests, or per source. Odd resources come before equal ones, each by name. */
export function resourceTree(resources: readonly Resource[], by: Grouping): ResourceNode[] {
  const folders = new Map<string, Resource[]>()
  for (const resource of resources) {
    const folder = by === 'folder' ? folderOfFile(resource.file) : resource.source
    const members = folders.get(folder)
    if (members) members.push(resource)
    else folders.set(folder, [resource])
  }
  return [...folders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([folder, members]) => folderOf(folder, members, by))
}

function folderOf(folder: string, members: readonly Resource[], by: Grouping): ResourceNode {
  const children = members
    .map((resource): ResourceNode => ({
      id: resource.id,
      // The folder of a kind says the kind.
      label: by === 'folder' && folder.split('/').at(-1) === resource.kind ? resource.name : resource.id,
      resource,
      state: stateOf(resource),
      isOdd: resource.states.includes('odd'),
      size: 1,
    }))
    .sort((a, b) => Number(b.isOdd) - Number(a.isOdd) || (a.label < b.label ? -1 : 1))
  const worst = children.reduce((found, { state }) => (rank(state) < rank(found) ? state : found), children[0]!.state)
  return {
    id: `folder:${folder}`,
    label: by === 'folder' ? `${folder}/` : folder,
    resource: null,
    state: worst,
    isOdd: true,
    size: children.length,
    children,
  }
}

/** Filters by terms that must all hold: words, `is:STATE`, `kind:KIND`, `source:NAME`, `label:NAME[=VALUE]`. */
export function matching(resources: readonly Resource[], query: string): readonly Resource[] {
  const terms = query.trim().split(/\s+/).filter(Boolean)
  return terms.length === 0 ? resources : resources.filter((resource) => terms.every((term) => holds(resource, term)))
}

function holds(resource: Resource, term: string): boolean {
  const [, prefix, value] = /^(is|kind|source|label):(.*)$/.exec(term) ?? []
  switch (prefix) {
    case 'is':
      return (resource.states as string[]).includes(value!)
    case 'kind':
      return resource.kind === value
    case 'source':
      return resource.source === value
    case 'label': {
      const [name, ...rest] = value!.split('=')
      const label = resource.labels[name!]
      return label !== undefined && (rest.length === 0 || label === rest.join('='))
    }
    default: {
      const word = term.toLowerCase()
      return [resource.id, resource.file, ...Object.entries(resource.labels).flat()].some((text) =>
        text.toLowerCase().includes(word),
      )
    }
  }
}

/** "214 owned: 211 in sync, 2 drifted, 1 waiting", without states that no resource has. */
export function countsText(resources: readonly Resource[]): string {
  const counted: ResourceState[] = ['drifted', 'contested', 'changed', 'waiting', 'failing', 'unknown', 'suspended']
  const counts = new Map<ResourceState, number>()
  for (const { states } of resources) for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1)
  const shown = counted.flatMap((state) => (counts.has(state) ? [`${counts.get(state)} ${state}`] : []))
  return `${resources.length} owned: ${[`${counts.get('synced') ?? 0} in sync`, ...shown].join(', ')}`
}

export interface SourceHead {
  name: string
  revision: string | null
  /** Last read, and the most recent change of a resource. */
  readAt: string | null
  appliedAt: string | null
  /** "214 owned: 211 in sync, 2 drifted" */
  counts: string
}

/** The sources of the resources, each with its revision, times and counts. */
export function sourceHeads(resources: readonly Resource[]): SourceHead[] {
  const bySource = new Map<string, Resource[]>()
  for (const resource of resources) {
    const owned = bySource.get(resource.source)
    if (owned) owned.push(resource)
    else bySource.set(resource.source, [resource])
  }
  return [...bySource]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, owned]) => {
      const read = owned.reduce((a, b) => ((b.times.desired.at ?? '') > (a.times.desired.at ?? '') ? b : a))
      const applied = owned.reduce(
        (
          last,
          {
            times: {
              last_applied: { at },
            },
          },
        ) => (at !== null && at > last ? at : last),
        '',
      )
      return {
        name,
        revision: read.times.desired.revision,
        readAt: read.times.desired.at,
        appliedAt: applied === '' ? null : applied,
        counts: countsText(owned),
      }
    })
}

/** Changes with every change of the drift of a resource, also of a field that has drifted before. */
export const driftMark = (records: readonly Drift[], { kind, name }: Pick<Resource, 'kind' | 'name'>): string =>
  records
    .filter((drift) => drift.kind === kind && drift.name === name)
    .map(({ id, live, resolution }) => JSON.stringify([id, live, resolution]))
    .join()

/** A source that is not known yet counts as ready: its resources show what is odd. */
export function sourceState(source: Pick<Source, 'error' | 'held_back' | 'hold' | 'suspended'> | undefined): StateName {
  if (source === undefined) return 'ready'
  if (source.suspended) return 'suspended'
  if (source.held_back !== null || source.hold !== null) return 'held'
  return source.error === null ? 'ready' : 'failed'
}
