// `svc status`: sources, resources and drift at a glance.
import type { Command } from 'commander'
import type { Drift, Resource } from '../../schemas/resource.ts'
import type { Source } from '../../schemas/source.ts'
import { openDrift } from '../manifests/drift-records.ts'
import { age } from '../output/duration.ts'
import { exitCode } from '../exit-codes.ts'
import { connectController } from '../controller-client.ts'
import { formatOf, withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../options.ts'
import { paint, print, printJson, visible } from '../output/print.ts'
import { condition, isReady, waitingLine } from '../manifests/readiness.ts'
import { renderTable } from '../output/table.ts'

export function define(command: Command): void {
  command.option('--exit-code', 'exit 1 when a source has an error or a resource is not Ready')
  withExamples(withUrl(withOutput(command)), 'svc status', 'svc status --exit-code -o json').action(showStatus)
}

async function showStatus(options: UrlOption & OutputOption & { exitCode?: boolean }): Promise<void> {
  const client = connectController(options)
  const [sources, resources, drift] = await Promise.all([
    client.listSources(),
    client.listResources(),
    openDrift(client),
  ])
  if (formatOf(options) === 'json') printJson({ sources, resources, drift })
  else print(glance(sources, resources, drift))
  const well = sources.every((source) => source.error === null) && resources.every(isReady)
  process.exitCode = exitCode(options.exitCode && !well ? 'error' : 'ok')
}

function glance(sources: Source[], resources: Resource[], drift: Drift[]): string {
  const colours = paint()
  const table = renderTable(
    sources,
    [
      { title: 'SOURCE', value: (source) => source.name },
      { title: 'REVISION', value: (source) => source.revision?.slice(0, 12) },
      {
        title: 'MODE',
        value: (source) => (source.suspended ? 'suspended' : source.sync.mode),
        colour: (source) => (source.suspended ? 'yellow' : undefined),
      },
      { title: 'DRIFT', value: (source) => source.sync.drift },
      { title: 'READ', value: (source) => (source.observed_at ? `${age(source.observed_at)} ago` : 'never') },
      { title: 'FROM', value: (source) => source.location },
    ],
    'No source.',
  )
  const errors = sources.flatMap((source) =>
    source.error ? [`${colours.red(`source ${source.name}:`)} ${visible(source.error)}`] : [],
  )
  const unready = resources
    .filter((resource) => !isReady(resource))
    .map((resource) => `  ${resource.id}  ${visible(condition(resource, 'Ready')?.message ?? 'not observed yet')}`)
  const ready = `${resources.length - unready.length} of ${resources.length} resources Ready`
  const waits = resources.filter(({ waiting }) => waiting).map((resource) => `  ${waitingLine(resource)}`)
  const waiting = waits.length === 0 ? [] : ['', `${waits.length} ${waits.length === 1 ? 'waits' : 'wait'}`, ...waits]
  const drifted = drift.length === 0 ? 'no drift' : `${drift.length} drifted (svc drift)`
  return [table.trimEnd(), ...errors, '', `${ready}, ${drifted}`, ...unready, ...waiting].join('\n')
}
