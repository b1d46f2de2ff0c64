// `svc drift`: what was changed on the live system, by whom, and the way back.
import { type Command } from 'commander'
import type { Drift } from '../../schemas/resource.ts'
import type { Run } from '../../schemas/run.ts'
import { connect, segment } from '../http-client.ts'
import {
  formatOf,
  resourceId,
  withExamples,
  withExitCodes,
  withOutput,
  withUrl,
  type ExitOption,
  type OutputOption,
  type UrlOption,
} from '../options.ts'
import { print, printJson, visible } from '../output.ts'
import { exitCode } from '../exit-codes.ts'
import { age } from '../duration.ts'
import { runSummary, stepLine } from '../run-report.ts'
import { renderTable } from '../table.ts'

interface ListOptions extends UrlOption, OutputOption, ExitOption {
  all?: boolean
}

export function define(command: Command): void {
  const list = command
    .command('list', { isDefault: true })
    .description('list what drifted and is not resolved')
    .argument('[resource]', 'KIND or KIND/NAME')
  withExamples(
    withExitCodes(withUrl(withOutput(list.option('--all', 'resolved ones too')))),
    'svc drift',
    'svc drift agents/planner -o json',
  ).action(listDrift)
  const revert = command
    .command('revert')
    .description('put the live resource back to what was last applied')
    .argument('<resource>', 'KIND/NAME', resourceId)
  withExamples(withUrl(withOutput(revert)), 'svc drift revert agents/planner').action(revertDrift)
  withExamples(command, 'svc drift', 'svc drift revert agents/planner')
}

async function listDrift(word: string | undefined, options: ListOptions): Promise<void> {
  const query = new URLSearchParams(options.all ? {} : { open: 'true' })
  const [kind, ...name] = (word ?? '').split('/')
  if (kind) query.set('kind', kind)
  if (name.length > 0) query.set('name', name.join('/'))
  const records = await connect('controller', options).get<Drift[]>(
    `/drift${query.size > 0 ? `?${query.toString()}` : ''}`,
  )
  if (formatOf(options) === 'json') printJson(records)
  else print(driftTable(records, options.all ?? false))
  process.exitCode = exitCode(
    records.some((record) => record.resolution === null) ? 'driftOnly' : 'ok',
    options.exitCodes,
  )
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

async function revertDrift(id: { kind: string; name: string }, options: UrlOption & OutputOption): Promise<void> {
  const run = await connect('controller', options).post<Run>(`/drift/${segment(id.kind)}/${segment(id.name)}/revert`)
  if (formatOf(options) === 'json') printJson(run)
  else print([...run.steps.map(stepLine), visible(runSummary(run))].join('\n'))
  process.exitCode = exitCode(run.status === 'failed' ? 'error' : 'ok')
}
