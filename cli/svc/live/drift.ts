import { Option, type Command } from 'commander'
import { typed } from '../../command-line.ts'
import { connectController } from '../../controller-client.ts'
import { controllerOperations } from '../../../schemas/operations/controller.ts'
import { listDrift } from '../../../schemas/operations/gitops/drift.ts'
import type { Drift } from '../../../schemas/resource.ts'
import type { Source } from '../../../schemas/source.ts'
import { exitCode } from '../../exit-codes.ts'
import { withExamples, withExitCodes, type DaemonOptions } from '../../options.ts'
import { age, parseSince } from '../../output/duration.ts'
import { paint, paragraph, visible } from '../../output/print.ts'
import { fits, renderTable, type Column } from '../../output/table.ts'
import { defineVerb, type Typed } from '../../verb.ts'
import { defineAccept } from './drift-accept.ts'
import { defineRevert, fieldOf } from './drift-revert.ts'

export function define(command: Command): void {
  const list = command.command('list', { isDefault: true }).description('List open drift and who caused it')
  defineVerb(list, controllerOperations, listDrift, {
    args: [{ member: 'resource', shown: '[resource]', help: 'KIND or KIND/NAME' }],
    without: ['kind', 'name', 'open'],
    options: {
      since: momentOption('since', 'Only drift that was still open at'),
      until: momentOption('until', 'Only drift first seen before'),
    },
    more: (each) => withExitCodes(each.option('--all', 'Include resolved drift')),
    request: listRequest,
    examples: ['svc drift', 'svc drift agents/planner -o json', 'svc drift --all --since 24h --actor mia'],
    done: async (records, { words, options }) =>
      driftText(records, {
        all: options.all ?? false,
        next: await nextOf(records, words.resource as string | undefined, options),
      }),
    exit: (records, { options }) =>
      exitCode(records.some((record) => record.resolution === null) ? 'driftOnly' : 'ok', options.exitCodes),
  })
  defineRevert(command.command('revert').description('Revert a resource or a field to its last applied state'))
  defineAccept(command.command('accept').description('Show the manifest change that would accept the drift'))
  withExamples(command, 'svc drift', 'svc drift revert --all', 'svc drift accept agents/planner --write')
}

const momentOption = (name: string, help: string): Option =>
  new Option(`--${name} <time>`, `${help} this time: 10m (ago) or an RFC 3339 time`).argParser(parseSince)

function listRequest(members: object, { words, options }: Typed) {
  const [kind, ...name] = ((words.resource as string | undefined) ?? '').split('/')
  return {
    ...members,
    open: options.all ? undefined : true,
    kind: kind || undefined,
    name: name.length > 0 ? name.join('/') : undefined,
  }
}

/** Writers in order; null if none is known. */
function hands({ writers }: Drift): string | null {
  const known = writers.some(({ actor }) => actor !== null)
  return known ? writers.map(({ actor }) => actor ?? 'unknown').join(', then ') : null
}

/** A table if it fits, else paragraphs: changes are never cut. */
function driftText(records: Drift[], { all, next }: { all: boolean; next: string | null }): string {
  const columns: Column<Drift>[] = [
    { title: 'RESOURCE', value: idOf },
    { title: 'FIELD', value: fieldOf },
    { title: 'DESIRED', value: (record) => JSON.stringify(record.desired) },
    { title: 'LIVE', value: (record) => JSON.stringify(record.live), colour: () => 'yellow' },
    { title: 'BY', value: hands },
    { title: 'THROUGH', value: (record) => record.endpoint },
    { title: 'SINCE', value: (record) => age(record.first_seen) },
    ...(all ? [{ title: 'RESOLUTION', value: (record: Drift) => record.resolution ?? 'open' }] : []),
  ]
  const text = fits(records, columns)
    ? renderTable(records, columns, all ? 'No recorded drift.' : 'No drift.').trimEnd()
    : records.map(driftLines).join('\n\n')
  return next === null ? text : `${text}\n\n${next}`
}

/** A filtered list proposes nothing for the drift that it does not show. */
async function nextOf(
  records: readonly Drift[],
  asked: string | undefined,
  options: Typed['options'],
): Promise<string | null> {
  const open = records.find(({ resolution }) => resolution === null)
  if (!open) return null
  const id = idOf(open)
  const revert =
    asked === undefined && (options.since ?? options.until ?? options.actor) === undefined
      ? `revert all of it with: ${typed`svc drift revert --all`}`
      : `revert ${asked === id ? 'it' : 'one'} with: ${typed`svc drift revert ${id}`}`
  const way = await acceptanceOf(open, options)
  if (way === null) return revert
  const accept = way === 'branch' ? typed`svc drift accept ${id} --branch NAME` : typed`svc drift accept ${id} --write`
  return `${revert}\naccept one into its manifest with: ${accept}`
}

/** Null if no manifest can express the drift, or svc cannot change it. */
async function acceptanceOf({ kind, name, path }: Drift, options: DaemonOptions): Promise<Source['drift_acceptance']> {
  if (path === '') return null
  const client = connectController(options)
  // Without an answer, for example because the resource is gone by now, there is only no hint.
  const found = await client.getResource({ params: { kind, name } }).catch(() => null)
  return found && (await client.getSource({ params: { name: found.source } })).drift_acceptance
}

const idOf = ({ kind, name }: Pick<Drift, 'kind' | 'name'>): string => `${kind}/${name}`

function driftLines(record: Drift): string {
  const colours = paint()
  const { desired, live, endpoint, first_seen, resolution } = record
  const through = endpoint === null ? '' : `, through ${visible(endpoint)}`
  const lines = [
    ['desired', visible(JSON.stringify(desired) ?? '-')],
    ['live', colours.yellow(visible(JSON.stringify(live) ?? '-'))],
    ['by', `${visible(hands(record) ?? 'unknown')}${through}, ${age(first_seen)} ago`],
    ...(resolution === null ? [] : [['ended', resolution] as const]),
  ] as const
  return [`${colours.bold(visible(idOf(record)))}  ${visible(fieldOf(record))}`, paragraph(lines)].join('\n')
}
