import { Option, type Command } from 'commander'
import { typed } from '../../command-line.ts'
import { RESOURCE_STATES, type Resource, type ResourceDetail, type ResourceState } from '../../../schemas/resource.ts'
import { age } from '../../output/duration.ts'
import { kindNamed } from '../../kind.ts'
import { Failure, misuse } from '../../failure.ts'
import { connectController, type ControllerClient } from '../../controller-client.ts'
import { manifestText, minimalManifest } from '../../../controller/reading/manifest-export.ts'
import { builtInSpec } from '../../../schemas/kind.ts'
import { kinds } from '../../../schemas/kinds.ts'
import { collect, isData, withDaemon, withExamples, withWatch, type DaemonOptions } from '../../options.ts'
import { paint, paragraph, visible, wrapped } from '../../output/print.ts'
import { show } from '../../output/data.ts'
import { condition, waitingLine } from '../../manifests/readiness.ts'
import { renderTable, type Column } from '../../output/table.ts'
import { newLines, watchLive } from './live-view.ts'

interface GetOptions extends DaemonOptions {
  source?: string
  is?: ResourceState
  label?: string[]
  search?: string
  watch?: boolean
}

export function define(command: Command): void {
  command
    .argument(
      '<kind>',
      `Kind: ${kinds.map((kind) => kind.kind).join(', ')}, several separated by commas, all, or KIND/NAME`,
    )
    .argument('[name]', 'Name of a resource')
    .option('--source <name>', 'Only resources of this source')
    .addOption(new Option('--is <state>', 'Only resources in this state').choices(RESOURCE_STATES))
    .option('--label <name=value>', 'Only resources with this label (repeatable)', collect)
    .option('--search <words>', 'Only resources with these words in kind/name, file or labels')
  withExamples(
    withWatch(withDaemon(command)),
    'svc get agents,workflows',
    'svc get agents/planner -o yaml',
    'svc get all --is odd',
    'svc get agents --label team=build --search review',
    'svc get all --watch',
  ).action(getResources)
}

interface Wanted {
  kind: string
  name: string | null
}

async function getResources(word: string, given: string | undefined, options: GetOptions): Promise<void> {
  const wanted = wantedOf(word, given)
  const client = connectController(options)
  if (options.watch) return watchResources(client, wanted, options)
  const [only] = wanted
  if (only && wanted.length === 1 && only.name !== null) {
    const builtIn = await builtInManifest(client, only.kind, only.name)
    if (builtIn) return show(builtIn, options, () => `${BUILT_IN}\n${manifestText(builtIn).trimEnd()}`)
    const detail = await client.getResource({ params: { kind: only.kind, name: only.name } })
    return show(detail, options, () => renderDetail(detail))
  }
  const resources = await listWanted(client, wanted, options)
  const builtIn = isFiltered(options) ? [] : builtInLines(wanted, resources)
  await show(resources, options, () => [resourceTable(resources), ...builtIn].join('\n'))
}

const BUILT_IN = '# Built in: a manifest needs no such file. To change it, copy it under another name.'

/** Null unless the resource is built in and no manifest replaces it. */
async function builtInManifest(client: ControllerClient, kind: string, name: string): Promise<object | null> {
  const spec = builtInSpec(kinds, kind, name)
  if (spec === undefined) return null
  const resources = await client.listResources({ query: { kind } })
  if (resources.some((resource) => resource.name === name)) return null
  const definition = kinds.find((known) => known.kind === kind)!
  return minimalManifest({
    definition,
    spec: spec as Record<string, unknown>,
    named: [],
    resolve: () => undefined,
    defaultSandbox: 'auto',
  })
}

/** Built-in resources of kinds that are listed as a whole. */
function builtInLines(wanted: readonly Wanted[], resources: readonly Resource[]): string[] {
  const listed = kinds.filter(({ kind }) => wanted.some((each) => each.kind === kind && each.name === null))
  return listed.flatMap(({ kind, builtIn = [] }) => {
    const isReplaced = (name: string) => resources.some(({ id }) => id === `${kind}/${name}`)
    const names = builtIn.map(({ name }) => name).filter((name) => !isReplaced(name))
    return names.length === 0 ? [] : [`\nbuilt in: ${names.join(', ')}`, `show one: ${typed`svc get KIND/NAME`}`]
  })
}

/** Parses `agents,workflow/hello` and `agents planner`. Empty means all. */
function wantedOf(text: string, name: string | undefined): Wanted[] {
  const words = text.split(',').filter((word) => word !== '')
  if (name !== undefined && (words.length !== 1 || words[0]!.includes('/')))
    throw misuse(`${text} ${name} is not a resource`, 'use KIND NAME, KIND/NAME, or several separated by commas')
  const all = words.map((word) => wantedBy(name === undefined ? word : `${word}/${name}`))
  return all.some((each) => each === null) ? [] : all.filter((each) => each !== null)
}

/** Null means all. */
function wantedBy(word: string): Wanted | null {
  const at = word.indexOf('/')
  const [kind, name] = at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, null]
  if (name === '') throw misuse(`${word} is not a resource`, `use ${kind}/NAME, or ${kind} for all`)
  return kind === 'all' ? null : { kind: kindNamed(kind).kind, name }
}

const isFiltered = ({ is, label, search }: GetOptions): boolean => (is ?? label ?? search) !== undefined

async function listWanted(client: ControllerClient, wanted: Wanted[], options: GetOptions): Promise<Resource[]> {
  const { source, is, label, search } = options
  const [kind, ...others] = new Set(wanted.map((each) => each.kind))
  const q = [search, is && `is:${is}`].filter(Boolean).join(' ')
  const filter = { source, labels: label?.join(','), ...(q === '' ? {} : { q }) }
  const resources = await client.listResources({ query: { kind: others.length === 0 ? kind : undefined, ...filter } })
  if (wanted.length === 0) return resources
  const whole = wanted.flatMap((each) => (each.name === null ? [each.kind] : []))
  const ids = wanted.flatMap((each) => (each.name === null ? [] : [`${each.kind}/${each.name}`]))
  const missing = ids.filter((id) => !resources.some((resource) => resource.id === id))
  if (missing.length > 0 && !isFiltered(options))
    throw new Failure(`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} in no applied manifest`, {
      hint: `run "${typed`svc get all`}" to list all resources`,
    })
  return resources.filter((resource) => whole.includes(resource.kind) || ids.includes(resource.id))
}

/** Redraws on a terminal; prints only new lines in a pipe. */
function watchResources(client: ControllerClient, wanted: Wanted[], options: GetOptions): Promise<void> {
  const fresh = newLines()
  const look = async (isScreen: boolean) => {
    const resources = await listWanted(client, wanted, options)
    if (isData(options)) return fresh(resources.map((resource) => JSON.stringify(steady(resource))).join('\n'))
    return isScreen ? resourceTable(resources) : fresh(resourceTable(resources, COLUMNS))
  }
  return watchLive(client, look, isData(options))
}

/** Omits observation times, which change without an event. */
const steady = ({ observed_at: _, conditions, ...resource }: Resource) => ({
  ...resource,
  conditions: conditions.map(({ observed_at: _at, ...condition }) => condition),
})

const ready = (resource: Resource) => condition(resource, 'Ready')

/** Why svc does not write the resource. */
const stopOf = ({ suspended, contested }: Resource) => (suspended ? 'Suspended' : contested ? 'Contested' : null)

const COLUMNS: readonly Column<Resource>[] = [
  { title: 'RESOURCE', value: (resource) => resource.id },
  {
    title: 'READY',
    value: (resource) => ready(resource)?.status ?? 'Unknown',
    colour: (resource) =>
      ({ True: 'green', False: 'red' } as const)[ready(resource)?.status as 'True' | 'False'] ?? 'yellow',
  },
  {
    title: 'REASON',
    value: (resource) => stopOf(resource) ?? ready(resource)?.reason,
    colour: (resource) => (stopOf(resource) ? 'yellow' : undefined),
  },
  { title: 'DRIFTED', value: (resource) => condition(resource, 'Drifted')?.status ?? 'Unknown' },
  { title: 'SOURCE', value: (resource) => resource.source, kind: 'extra' },
  { title: 'FROM', value: (resource) => `${resource.file}:${resource.line}`, kind: 'path' },
]
const SEEN: Column<Resource> = {
  title: 'SEEN',
  value: (resource) => (resource.observed_at ? `${age(resource.observed_at)} ago` : 'never'),
  kind: 'time',
}

const resourceTable = (
  resources: readonly Resource[],
  columns: readonly Column<Resource>[] = [...COLUMNS, SEEN],
): string => renderTable(resources, columns, 'No resources.')

interface MemberRow {
  member: string
  /** Desired, last applied and live, as JSON. */
  values: readonly (string | undefined)[]
}

const SIDES = ['desired', 'last applied', 'live'] as const
const EMPTY = new Set([undefined, 'null', '[]', '{}'])

/** Different values side by side, equal values once, empty values counted. */
function memberLines(rows: readonly MemberRow[], { owners }: ResourceDetail): string[] {
  const isSame = ({ values }: MemberRow) => values.every((value) => value === values[0])
  const same = rows.filter(isSame)
  const said = same.filter(({ values }) => !EMPTY.has(values[0]))
  const owned = (member: string) => (owners[member] === 'live' ? '  (set on the live system)' : '')
  const differing = rows.filter((row) => !isSame(row)).map((row) => differingLines(row, owned(row.member)))
  const empty = same.length - said.length
  return [
    ...differing.flatMap((lines) => ['', lines]),
    ...(said.length > 0 ? ['', paint().dim('equal in desired, last applied and live')] : []),
    ...(said.length > 0
      ? [paragraph(said.map(({ member, values }) => [member, visible(values[0]!) + owned(member)]))]
      : []),
    ...(empty > 0 ? [`  and ${empty} more empty ${empty === 1 ? 'field' : 'fields'}: -o yaml shows all`] : []),
  ]
}

function differingLines({ member, values }: MemberRow, owned: string): string {
  const colours = paint()
  const shown = SIDES.map((side, at) => {
    const text = visible(values[at] ?? '-')
    return [side, values[at] === values[0] ? text : colours.yellow(text)] as const
  })
  return `${colours.bold(visible(member))}${owned}\n${paragraph(shown)}`
}

function renderDetail(detail: ResourceDetail): string {
  const sides = [detail.desired, detail.last_applied, detail.live].map(
    (side) => (side ?? {}) as Record<string, unknown>,
  )
  const members = [...new Set(sides.flatMap((side) => Object.keys(side)))]
  const rows = members.map((member) => ({ member, values: sides.map((side) => JSON.stringify(side[member])) }))
  const conditions = detail.conditions.map(
    (each) => `  ${wrapped(`${each.type}=${each.status}  ${each.reason}: ${visible(each.message)}`, 4)}`,
  )
  const history = detail.history
    .slice(0, 5)
    .map(
      (entry) =>
        `  ${entry.run_id.slice(0, 8)}  ${entry.action} ${entry.status}${entry.at ? `  ${age(entry.at)} ago` : ''}`,
    )
  const head = [
    paint().bold(detail.id),
    `  live id  ${detail.live_id ?? '-'}`,
    `  source   ${detail.source}`,
    `  from     ${visible(detail.file)}:${detail.line}`,
  ]
  return [
    ...head,
    ...memberLines(rows, detail),
    ...(detail.waiting ? ['', 'pending', `  ${wrapped(waitingLine(detail), 4)}`] : []),
    '',
    'conditions',
    ...conditions,
    ...(history.length > 0 ? ['', 'history', ...history] : []),
  ].join('\n')
}
