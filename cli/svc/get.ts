// `svc get KIND[/NAME]`: the inventory of a kind, or one resource with desired, last applied and live side by side.
import type { Command } from 'commander'
import { nearestHint } from '../../schemas/validation/nearest.ts'
import type { Resource, ResourceDetail } from '../../schemas/resource.ts'
import { age } from '../output/duration.ts'
import { misuse } from '../failure.ts'
import { connectController } from '../controller-client.ts'
import { findKind, kinds, kindsToCome } from '../../schemas/kinds.ts'
import { formatOf, withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../options.ts'
import { paint, print, printJson, visible, wrapped } from '../output/print.ts'
import { condition, waitingLine } from '../manifests/readiness.ts'
import { renderTable } from '../output/table.ts'

interface GetOptions extends UrlOption, OutputOption {
  source?: string
}

export function define(command: Command): void {
  command
    .argument('<kind>', `${kinds.map((kind) => kind.kind).join(', ')}, all, or KIND/NAME`)
    .argument('[name]', 'name of a resource')
    .option('--source <name>', 'only what this source declares')
  withExamples(withUrl(withOutput(command)), 'svc get agents', 'svc get agents/planner -o json').action(getResources)
}

async function getResources(word: string, given: string | undefined, options: GetOptions): Promise<void> {
  const at = word.indexOf('/')
  const [kindWord, name] = at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, given]
  if (name === '') throw misuse(`${word} names no resource`, `write ${kindWord}/NAME, or ${kindWord} alone for all`)
  const kind = kindWord === 'all' ? null : kindOf(kindWord)
  const client = connectController(options)
  if (name && kind) {
    const detail = await client.getResource({ params: { kind, name } })
    return formatOf(options) === 'json' ? printJson(detail) : print(renderDetail(detail))
  }
  const resources = await client.listResources({ query: { kind: kind ?? undefined, source: options.source } })
  if (formatOf(options) === 'json') printJson(resources)
  else print(resourceTable(resources))
}

function kindOf(word: string): string {
  const found = findKind(word, [...kinds, ...kindsToCome])
  if (found) return found.kind
  const words = kinds.map((kind) => kind.kind)
  throw misuse(`there is no kind ${word}`, nearestHint(word, words, `there are ${words.join(', ')}`))
}

function resourceTable(resources: Resource[]): string {
  const ready = (resource: Resource) => condition(resource, 'Ready')
  return renderTable(
    resources,
    [
      { title: 'RESOURCE', value: (resource) => resource.id },
      {
        title: 'READY',
        value: (resource) => ready(resource)?.status ?? 'Unknown',
        colour: (resource) =>
          ({ True: 'green', False: 'red' } as const)[ready(resource)?.status as 'True' | 'False'] ?? 'yellow',
      },
      { title: 'REASON', value: (resource) => ready(resource)?.reason },
      { title: 'DRIFTED', value: (resource) => condition(resource, 'Drifted')?.status ?? 'Unknown' },
      { title: 'SOURCE', value: (resource) => resource.source },
      { title: 'FROM', value: (resource) => `${resource.file}:${resource.line}` },
      { title: 'SEEN', value: (resource) => (resource.observed_at ? `${age(resource.observed_at)} ago` : 'never') },
    ],
    'No resource.',
  )
}

function renderDetail(detail: ResourceDetail): string {
  const sides = [detail.desired, detail.last_applied, detail.live].map(
    (side) => (side ?? {}) as Record<string, unknown>,
  )
  const members = [...new Set(sides.flatMap((side) => Object.keys(side)))]
  const rows = members.map((member) => ({ member, values: sides.map((side) => JSON.stringify(side[member])) }))
  const table = renderTable(
    rows,
    [
      { title: 'MEMBER', value: (row) => row.member },
      ...['DESIRED', 'LAST APPLIED', 'LIVE'].map((title, index) => ({
        title,
        value: (row: (typeof rows)[number]) => row.values[index],
        colour: (row: (typeof rows)[number]) => (row.values[index] === row.values[0] ? undefined : ('yellow' as const)),
      })),
      { title: 'OWNER', value: (row) => detail.owners[row.member] },
    ],
    'It has no members.',
  )
  const conditions = detail.conditions.map(
    (each) => `  ${wrapped(`${each.type}=${each.status}  ${each.reason}: ${visible(each.message)}`, 4)}`,
  )
  const history = detail.history
    .slice(0, 5)
    .map((entry) => `  ${entry.run_id.slice(0, 8)}  ${entry.action} ${entry.status}  ${entry.at ?? ''}`)
  const head = [
    paint().bold(detail.id),
    `  live id  ${detail.live_id ?? '-'}`,
    `  source   ${detail.source}`,
    `  from     ${visible(detail.file)}:${detail.line}`,
  ]
  return [
    ...head,
    '',
    table.trimEnd(),
    ...(detail.waiting ? ['', 'waits', `  ${wrapped(waitingLine(detail), 4)}`] : []),
    '',
    'conditions',
    ...conditions,
    ...(history.length > 0 ? ['', 'history', ...history] : []),
  ].join('\n')
}
