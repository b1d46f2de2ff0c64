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

/** The daemon stops within ten seconds; the rest is for slow disks. */
const LONGEST_WAIT_MS = 15_000

interface DownOptions extends DaemonOptions {
  agents?: boolean
  whenIdle?: boolean
}

export function define(command: Command): void {
  command
    .option('--agents', 'Also stop agent sessions (default: they keep running and reconnect to the next daemon)')
    .option('--when-idle', 'Stop accepting work and wait until running work is finished')
  withExamples(withDaemon(command), 'svc down', 'svc down --when-idle', 'svc down --agents').action(stopDaemon)
}

async function stopDaemon(options: DownOptions): Promise<void> {
  const client = connectController(options)
  const running = runtimeFile()
  if (running && running.services.controller === undefined && options.url === undefined)
    throw new Failure('the local daemon serves no controller, which handles this request', {
      where: Object.keys(running.services).join(', '),
      hint: `stop its process: kill ${running.pid}`,
    })
  if (options.whenIdle) await waitUntilIdle()
  const lost = lostBy(options.agents ?? false, await listWork())
  for (const line of lostLines(lost)) process.stderr.write(`${line}\n`)
  const asked = await client.shutDown({ body: { agents: options.agents ?? false } })
  const deadline = Date.now() + LONGEST_WAIT_MS
  await withProgress('stopping', async () => {
    while (isStopping(asked)) {
      if (Date.now() > deadline)
        throw new Failure('the daemon accepted the request but is still running', {
          hint: `check its log; its process id is ${asked.pid}`,
        })
      await sleep(100)
    }
  })
  const agents = options.agents ? 'its agents were stopped' : 'its agents keep running'
  await show(
    { stopped: true, agents: options.agents ?? false, failed: lost },
    options,
    `The daemon has stopped; ${agents}.`,
  )
}

/**
 * The daemon closes its ports before it stops agents and writes data: it has stopped when its process or its lock is
 * gone.
 */
function isStopping({ pid, lock }: { pid: number; lock: string }): boolean {
  return isAlive(pid) && existsSync(lock)
}
