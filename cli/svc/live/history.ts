import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import { LARGEST_PAGE } from '../../../schemas/operations/page.ts'
import type { Run } from '../../../schemas/run.ts'
import { age, ago } from '../../output/duration.ts'
import { Failure } from '../../failure.ts'
import { connectController, type ControllerClient } from '../../controller-client.ts'
import { wholeNumber, withDaemon, withExamples, type DaemonOptions, type OutputOption } from '../../options.ts'
import { fitted, visible } from '../../output/print.ts'
import { show } from '../../output/data.ts'
import { runSummary, stepLine } from '../../output/run-report.ts'
import { renderTable } from '../../output/table.ts'

export function define(command: Command): void {
  command.argument('[run]', 'Id of a run, or its prefix').option('--limit <count>', 'Number of runs', wholeNumber, 20)
  withExamples(withDaemon(command), 'svc history', 'svc history 1f3c9a2b').action(showHistory)
}

const COLOURS: Partial<Record<Run['status'], 'red' | 'yellow'>> = {
  failed: 'red',
  interrupted: 'red',
  waiting: 'yellow',
}

async function showHistory(word: string | undefined, options: DaemonOptions & { limit: number }): Promise<void> {
  const client = connectController(options)
  if (word !== undefined) return showRun(await findRun(client, word), options)
  const { items } = await client.listRuns({
    query: { limit: Math.min(LARGEST_PAGE, Math.max(1, options.limit)) },
  })
  await show(items, options, () =>
    renderTable(
      items,
      [
        { title: 'RUN', value: (run) => run.id.slice(0, 8) },
        { title: 'SOURCE', value: (run) => run.source },
        { title: 'REVISION', value: (run) => run.revision?.slice(0, 8) },
        {
          title: 'STATUS',
          value: (run) => run.status,
          colour: (run) => COLOURS[run.status],
        },
        { title: 'CHANGES', value: changes, kind: 'text' },
        { title: 'BY', value: (run) => run.actor },
        { title: 'AGO', value: (run) => age(run.started_at), kind: 'time' },
      ],
      'No runs yet.',
    ),
  )
}

function changes(run: Run): string {
  const { unchanged: _, ...actions } = run.summary
  return (
    Object.entries(actions)
      .flatMap(([action, count]) => (count > 0 ? [`${count} ${action}`] : []))
      .join(', ') || 'none'
  )
}

/** Accepts an id or id prefix. */
export async function findRun(client: ControllerClient, word: string): Promise<Run> {
  if (word.length >= 36) return client.getRun({ params: { id: word } })
  const { items } = await client.listRuns({ query: { limit: LARGEST_PAGE } })
  const matches = items.filter((run) => run.id.startsWith(word))
  if (matches.length === 1) return matches[0]!
  throw new Failure(matches.length === 0 ? `run ${word} does not exist` : `${matches.length} runs start with ${word}`, {
    hint: `find the id with "${typed`svc history`}"`,
  })
}

async function showRun(run: Run, options: OutputOption): Promise<void> {
  await show(run, options, () =>
    fitted(
      [
        `source ${visible(run.source)} at revision ${run.revision?.slice(0, 8) ?? '-'}, by ${visible(run.actor)}, ${ago(run.started_at)}`,
        ...run.steps.map((step) => `  ${stepLine(step)}`),
        runSummary(run),
      ].join('\n'),
    ),
  )
}
