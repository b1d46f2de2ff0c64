import type { Command } from 'commander'
import type { ConductorAction, ConductorRun } from '../../../schemas/conductor/run.ts'
import { conductorOperations } from '../../../schemas/operations/conductor.ts'
import { EXIT } from '../../exit-codes.ts'
import { connect } from '../../http-client.ts'
import { withDaemon, withDetailedExitCode, withDryRun, withExamples, type DaemonOptions } from '../../options.ts'
import { show } from '../../output/data.ts'
import { withProgress } from '../../output/progress.ts'
import { runText } from './run-text.ts'

interface RunOptions extends DaemonOptions {
  repository?: string
  dryRun?: boolean
  detailedExitcode?: boolean
}

/** A run waits for rate limits and for the run before it. */
const TIMEOUT_MS = 30 * 60_000

export function define(command: Command): void {
  withDryRun(command.option('--repository <owner/name>', 'Repository (default: SVC_CONDUCTOR_REPOSITORY)'))
  withDetailedExitCode(withDaemon(command), 'With --dry-run')
  withExamples(command, 'agent conductor run --dry-run', 'agent conductor run --repository acme/shop -o json').action(
    run,
  )
}

async function run(options: RunOptions): Promise<void> {
  const { repository, dryRun } = options
  const body = { ...(repository === undefined ? {} : { repository }), ...(dryRun ? { dry_run: true } : {}) }
  const client = connect(conductorOperations, { ...options, timeoutMs: TIMEOUT_MS })
  const ended = await withProgress('running the conductor', () => client.createRun({ body }))
  await show(ended, options, () => runText(ended))
  process.exitCode = exitOf(ended, options)
}

/** A dry run lists what a stopped run would have done: it has not failed. */
function exitOf({ status, dry_run: isDry, actions }: ConductorRun, { detailedExitcode }: RunOptions): number {
  if (status === 'failed' || (status === 'stopped' && !isDry)) return EXIT.error
  return isDry && detailedExitcode && actions.some(changesForge) ? EXIT.changes : EXIT.ok
}

const ELSEWHERE: ReadonlySet<string> = new Set<ConductorAction['action']>(['post', 'lock', 'unlock', 'remember'])

const changesForge = ({ action }: ConductorAction): boolean => !ELSEWHERE.has(action)
