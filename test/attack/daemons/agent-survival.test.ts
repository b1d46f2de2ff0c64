// A crash of the tmux server would end every agent.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DaemonStand } from '../../support/daemon.ts'
import { counted } from '../../support/counts.ts'
import { times } from '../campaign.ts'

const run = promisify(execFile)
/** Queries of the tmux server during and after the end of a daemon. */
const LOOKS = 10
const rounds = times(30, 3)
let stand: DaemonStand

beforeEach(async () => {
  stand = await DaemonStand.create()
  stand.write('agents/x.yml', 'name: x\nruntime: scripted\nworking_dir: .\nshell: bash\nrestart: never\n')
})
afterEach(() => stand.close())

const sessions = async () => Object.keys(await stand.panes())
const agentOfX = async () => Object.values(await stand.panes())

test('keeps agents when daemons stop or die while others query tmux', { timeout: 300_000 }, async () => {
  await stand.startReady()
  const before = await agentOfX()
  expect(before).toHaveLength(1)
  for (let round = 0; round < rounds; round++) {
    const ended = stand.stopBy(round % 2 === 0 ? 'SIGTERM' : 'SIGKILL')
    for (let look = 0; look < LOOKS; look++) expect(await sessions(), `round ${round}`).toHaveLength(1)
    await ended
    await run('tmux', ['-L', stand.muxSocket, 'list-sessions'])
    await stand.start()
    await stand.connected()
  }
  await stand.settled()
  expect(await agentOfX()).toEqual(before)
  counted('daemon ends survived by the agent', rounds)
})
