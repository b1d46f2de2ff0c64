// `svc drift`: what was changed on the live system, by whom, and the way back.
import { type Command } from 'commander'
import { controllerOperations, listDrift, revertDrift } from '../../schemas/operations/controller.ts'
import type { Drift } from '../../schemas/resource.ts'
import { exitCode } from '../exit-codes.ts'
import { resourceId, withExamples, withExitCodes } from '../options.ts'
import { age } from '../output/duration.ts'
import { visible } from '../output/print.ts'
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
  withExamples(command, 'svc drift', 'svc drift revert agents/planner')
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
