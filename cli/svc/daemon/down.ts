// `svc down`: stops the running daemon, and waits until it is gone.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { isAlive } from '../../../platform/peer/alive.ts'
import { runtimeFile } from '../../address.ts'
import { Failure } from '../../failure.ts'
import { connectController } from '../../controller-client.ts'
import { withDaemon, withExamples, type DaemonOptions } from '../../options.ts'
import { show } from '../../output/data.ts'
import { withProgress } from '../../output/progress.ts'
import { lostBy, lostLines, waitUntilIdle, listWork } from './in-flight.ts'

/** The daemon ends within ten seconds of being asked; a little more for a slow disk. */
const LONGEST_WAIT_MS = 15_000

interface DownOptions extends DaemonOptions {
  agents?: boolean
  whenIdle?: boolean
}

export function define(command: Command): void {
  command
    .option('--agents', 'end the agents’ sessions too; otherwise they go on and meet the next daemon')
    .option('--when-idle', 'take no more work, wait until what is in hand is finished, then stop')
  withExamples(withDaemon(command), 'svc down', 'svc down --when-idle', 'svc down --agents').action(stopDaemon)
}

async function stopDaemon(options: DownOptions): Promise<void> {
  const client = connectController(options)
  const running = runtimeFile()
  if (running && running.services.controller === undefined && options.url === undefined)
    throw new Failure('the daemon that runs here serves no controller, which is what takes this request', {
      where: Object.keys(running.services).join(', '),
      hint: `end its process: kill ${running.pid}`,
    })
  if (options.whenIdle) await waitUntilIdle()
  const lost = lostBy(options.agents ?? false, await listWork())
  for (const line of lostLines(lost)) process.stderr.write(`${line}\n`)
  const asked = await client.shutDown({ body: { agents: options.agents ?? false } })
  const deadline = Date.now() + LONGEST_WAIT_MS
  await withProgress('stopping', async () => {
    while (isStopping(asked)) {
      if (Date.now() > deadline)
        throw new Failure('the daemon took the request and still runs', {
          hint: `look at its log; its process is ${asked.pid}`,
        })
      await sleep(100)
    }
  })
  const agents = options.agents ? 'its agents were ended' : 'its agents go on'
  await show(
    { stopped: true, agents: options.agents ?? false, failed: lost },
    options,
    `The daemon has stopped; ${agents}.`,
  )
}

/**
 * Its ports close first, its agents end and its data is written after that: it has stopped when its process is gone,
 * or has given up its data folder, whichever comes first.
 */
function isStopping({ pid, lock }: { pid: number; lock: string }): boolean {
  return isAlive(pid) && existsSync(lock)
}
