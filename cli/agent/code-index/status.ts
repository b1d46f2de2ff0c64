import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { RepositoryState } from '../../../schemas/code-index/repository.ts'
import { indexOperations } from '../../../schemas/operations/code-index.ts'
import { connect } from '../../http-client.ts'
import { withDaemon, withExamples, withWatch, type DaemonOptions } from '../../options.ts'
import { withProgress } from '../../output/progress.ts'
import { show } from '../../output/data.ts'
import { aRepository } from './subjects.ts'
import { stateText } from './results.ts'

interface StatusOptions extends DaemonOptions {
  watch?: boolean
}

const LOOK_MS = 500

export function define(command: Command): void {
  withWatch(command.argument(aRepository.shown, aRepository.help), 'Watch until indexing has finished')
  withExamples(withDaemon(command), 'agent index status svc', 'agent index status svc --watch').action(
    showRepositoryStatus,
  )
}

/** Exits with 1 if the repository is in status error. */
async function showRepositoryStatus(word: string, options: StatusOptions): Promise<void> {
  const client = connect(indexOperations, options)
  const { id } = await aRepository.find(word, options)
  const look = () => client.getRepositoryStatus({ params: { id } })
  const state = options.watch ? await waitUntilDone(look) : await look()
  await show(state, options, () => stateText(state))
  process.exitCode = state.status === 'error' ? 1 : 0
}

function waitUntilDone(look: () => Promise<RepositoryState>): Promise<RepositoryState> {
  return withProgress('waiting for the indexer', async (progress) => {
    for (;;) {
      const state = await look()
      if (state.status === 'ready' || state.status === 'error') return state
      progress.say(stateText(state))
      await sleep(LOOK_MS)
    }
  })
}
