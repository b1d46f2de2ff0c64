import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Command } from 'commander'
import { typed } from '../../command-line.ts'
import { acceptChange } from '../../../controller/reading/manifest-edit.ts'
import { findKind, kinds } from '../../../schemas/kinds.ts'
import { connectController, openDrift, type ControllerClient } from '../../controller-client.ts'
import { Failure, misuse } from '../../failure.ts'
import { controllerOperations, listDrift } from '../../../schemas/operations/controller.ts'
import type { Drift } from '../../../schemas/resource.ts'
import type { Run } from '../../../schemas/run.ts'
import { exitCode } from '../../exit-codes.ts'
import { isData, resourceId, withDaemon, withExamples, withExitCodes, type DaemonOptions } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { note, paint, paragraph, print, visible } from '../../output/print.ts'
import { printData, show } from '../../output/data.ts'
import { runSummary, stepLine } from '../../output/run-report.ts'
import { fits, renderTable, type Column } from '../../output/table.ts'
import { defineVerb, type Typed } from '../../verb.ts'

export function define(command: Command): void {
  const list = command.command('list', { isDefault: true }).description('List open drift and who caused it')
  defineVerb(list, controllerOperations, listDrift, {
    args: [{ member: 'resource', shown: '[resource]', help: 'KIND or KIND/NAME' }],
    without: ['kind', 'name', 'open'],
    more: (each) => withExitCodes(each.option('--all', 'Include resolved drift')),
    request: listRequest,
    examples: ['svc drift', 'svc drift agents/planner -o json'],
    done: (records, { words, options }) =>
      driftText(records, { all: options.all ?? false, asked: words.resource as string | undefined }),
    exit: (records, { options }) =>
      exitCode(records.some((record) => record.resolution === null) ? 'driftOnly' : 'ok', options.exitCodes),
  })
  const revert = command.command('revert').description('Revert a resource to its last applied state')
  withExamples(
    withDaemon(revert.argument('[resource]', 'KIND/NAME').option('--all', 'Revert all drift')),
    'svc drift revert agents/planner',
    'svc drift revert --all',
  ).action(revertDrift)
  const accept = command.command('accept').description('Show the manifest change that would accept the drift')
  withExamples(
    withDaemon(accept.argument('<resource>', 'KIND/NAME').option('--write', 'Write the change to the file')),
    'svc drift accept agents/planner',
    'svc drift accept agents/planner --write',
  ).action(acceptDrift)
  withExamples(command, 'svc drift', 'svc drift revert --all', 'svc drift accept agents/planner --write')
}

async function revertDrift(resource: string | undefined, options: DaemonOptions & { all?: boolean }): Promise<void> {
  if ((resource === undefined) === !options.all)
    throw misuse(
      resource === undefined ? 'no resource given' : 'a resource and --all are mutually exclusive',
      `pass KIND/NAME or --all; "${typed`svc drift`}" lists drift`,
    )
  const client = connectController(options)
  const targets = resource === undefined ? await driftedResources(client) : [resourceId(resource)]
  const runs: Run[] = []
  for (const target of targets) {
    const run = await client.revertDrift({ params: target })
    runs.push(run)
    if (!isData(options)) print([...run.steps.map(stepLine), visible(runSummary(run))].join('\n'))
  }
  if (isData(options)) await printData(options.all ? runs : runs[0], options)
  else if (runs.length === 0) print('No drift.')
  process.exitCode = exitCode(runs.some(({ status }) => status === 'failed') ? 'error' : 'ok')
}

async function driftedResources(client: ControllerClient): Promise<{ kind: string; name: string }[]> {
  const records = await openDrift(client)
  return [...new Set(records.map(({ kind, name }) => `${kind}/${name}`))].map(resourceId)
}

/** Edits the file with the caller's permissions; the daemon only computes the change. */
async function acceptDrift(resource: string, options: DaemonOptions & { write?: boolean }): Promise<void> {
  const acceptance = await connectController(options).acceptDrift({ params: resourceId(resource) })
  const { kind, name, location, file, changes, diff } = acceptance
  await show(acceptance, options, () => visible(diff).trimEnd())
  if (!options.write) {
    const id = idOf({ kind, name })
    if (!isData(options)) note(`apply this change with: ${typed`svc drift accept ${id} --write`}`)
    return
  }
  const path = join(location, file)
  const target = { definition: findKind(kind, kinds)!, name }
  const edited = (text: string) =>
    changes.reduce((before, change) => acceptChange(before, target, change.path, change.value ?? undefined), text)
  try {
    const { mode } = await stat(path)
    const beside = `${path}.${process.pid}.tmp`
    await writeFile(beside, edited(await readFile(path, 'utf8')), { mode })
    await rename(beside, path)
  } catch (error) {
    throw new Failure(`cannot change the manifest: ${(error as Error).message}`, {
      where: path,
      hint: 'make the shown change by hand on the machine that has the file',
      cause: error,
    })
  }
  note(`changed ${path}`)
}

function listRequest(_members: object, { words, options }: Typed) {
  const [kind, ...name] = ((words.resource as string | undefined) ?? '').split('/')
  return {
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
function driftText(records: Drift[], { all, asked }: { all: boolean; asked: string | undefined }): string {
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
  const open = records.find(({ resolution }) => resolution === null)
  return open ? `${text}\n\n${nextOf(open, asked)}` : text
}

/** A filtered list proposes nothing for the drift that it does not show. */
function nextOf(open: Drift, asked: string | undefined): string {
  const id = idOf(open)
  const revert =
    asked === undefined
      ? `revert all of it with: ${typed`svc drift revert --all`}`
      : `revert ${asked === id ? 'it' : 'one'} with: ${typed`svc drift revert ${id}`}`
  return `${revert}\naccept one into its manifest with: ${typed`svc drift accept ${id} --write`}`
}

const idOf = ({ kind, name }: Pick<Drift, 'kind' | 'name'>): string => `${kind}/${name}`
const fieldOf = ({ path }: Drift): string => path || '(missing)'

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
