// `svc drift`: what was changed on the live system, by whom, and the way back.
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Command } from 'commander'
import { acceptChange } from '../../controller/reading/accept.ts'
import { findKind, kinds } from '../../schemas/kinds.ts'
import { connectController } from '../controller-client.ts'
import { Failure } from '../failure.ts'
import { controllerOperations, listDrift, revertDrift } from '../../schemas/operations/controller.ts'
import type { Drift } from '../../schemas/resource.ts'
import { exitCode } from '../exit-codes.ts'
import {
  formatOf,
  resourceId,
  withExamples,
  withExitCodes,
  withOutput,
  withUrl,
  type OutputOption,
  type UrlOption,
} from '../options.ts'
import { age } from '../output/duration.ts'
import { note, print, printJson, visible } from '../output/print.ts'
import { runSummary, stepLine } from '../output/run-report.ts'
import { renderTable } from '../output/table.ts'
import { defineVerb, type Typed } from '../verb.ts'

export function define(command: Command): void {
  const list = command.command('list', { isDefault: true }).description('list what drifted and is not resolved')
  defineVerb(list, controllerOperations, listDrift, {
    args: [{ member: 'resource', shown: '[resource]', help: 'KIND or KIND/NAME' }],
    without: ['kind', 'name', 'open'],
    more: (each) => withExitCodes(each.option('--all', 'resolved ones too')),
    request: listRequest,
    examples: ['svc drift', 'svc drift agents/planner -o json'],
    done: (records, { options }) => driftTable(records, options.all ?? false),
    exit: (records, { options }) =>
      exitCode(records.some((record) => record.resolution === null) ? 'driftOnly' : 'ok', options.exitCodes),
  })
  const revert = command.command('revert').description('put the live resource back to what was last applied')
  defineVerb(revert, controllerOperations, revertDrift, {
    args: [{ member: 'resource', shown: '<resource>', help: 'KIND/NAME', parse: resourceId }],
    request: (_members, { words }) => words.resource,
    examples: ['svc drift revert agents/planner'],
    done: (run) => [...run.steps.map(stepLine), visible(runSummary(run))].join('\n'),
    exit: (run) => exitCode(run.status === 'failed' ? 'error' : 'ok'),
  })
  const accept = command.command('accept').description('show the change of the manifest with which live is desired')
  withExamples(
    withUrl(withOutput(accept.argument('<resource>', 'KIND/NAME').option('--write', 'make the change in the file'))),
    'svc drift accept agents/planner',
    'svc drift accept agents/planner --write',
  ).action(acceptDrift)
  withExamples(command, 'svc drift', 'svc drift revert agents/planner', 'svc drift accept agents/planner')
}

/** The file is changed here, with the eyes and the rights of who asks; the daemon only says how. */
async function acceptDrift(resource: string, options: UrlOption & OutputOption & { write?: boolean }): Promise<void> {
  const acceptance = await connectController(options).acceptDrift({ params: resourceId(resource) })
  const { kind, name, location, file, changes, diff } = acceptance
  if (formatOf(options) === 'json') printJson(acceptance)
  else print(visible(diff).trimEnd())
  if (!options.write) return
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
    throw new Failure(`the manifest cannot be changed: ${(error as Error).message}`, {
      where: path,
      hint: 'make the change that is shown by hand, where the file is',
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

function driftTable(records: Drift[], all: boolean): string {
  return renderTable(
    records,
    [
      { title: 'RESOURCE', value: (record) => `${record.kind}/${record.name}` },
      { title: 'FIELD', value: (record) => record.path || '(gone)' },
      { title: 'DESIRED', value: (record) => JSON.stringify(record.desired) },
      { title: 'LIVE', value: (record) => JSON.stringify(record.live), colour: () => 'yellow' },
      { title: 'BY', value: (record) => record.actor },
      { title: 'THROUGH', value: (record) => record.endpoint },
      { title: 'SINCE', value: (record) => age(record.first_seen) },
      ...(all ? [{ title: 'RESOLUTION', value: (record: Drift) => record.resolution ?? 'open' }] : []),
    ],
    all ? 'No drift on record.' : 'No drift.',
  )
}
