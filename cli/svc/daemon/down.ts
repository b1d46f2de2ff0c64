// `svc down`: stops the running daemon, and waits until it is gone.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { common } from '../../../schemas/operations/health.ts'
import { controllerOperations } from '../../../schemas/operations/controller.ts'
import { runtimeFile } from '../../address.ts'
import { connect } from '../../http-client.ts'
import { Failure } from '../../failure.ts'
import { connectController } from '../../controller-client.ts'
import { isData, withExamples, withOutput, withUrl, type OutputOption, type UrlOption } from '../../options.ts'
import { print } from '../../output/print.ts'
import { printData } from '../../output/data.ts'
import { startProgress } from '../../output/progress.ts'
import { lostBy, lostLines, untilIdle, workInHand } from './work-in-hand.ts'

/** The daemon ends within ten seconds of being asked; a little more for a slow disk. */
const LONGEST_WAIT_MS = 15_000

interface DownOptions extends UrlOption, OutputOption {
  agents?: boolean
  whenIdle?: boolean
}

export function define(command: Command): void {
  command
    .option('--agents', 'end the agents’ sessions too; otherwise they go on and meet the next daemon')
    .option('--when-idle', 'take no more work, wait until what is in hand is finished, then stop')
  withExamples(withUrl(withOutput(command)), 'svc down', 'svc down --when-idle', 'svc down --agents').action(stopDaemon)
}

async function stopDaemon(options: DownOptions): Promise<void> {
  const client = connectController(options)
  const running = runtimeFile()
  if (running && running.services.controller === undefined && options.url === undefined)
    throw new Failure('the daemon that runs here serves no controller, which is what takes this request', {
      where: Object.keys(running.services).join(', '),
      hint: `end its process: kill ${running.pid}`,
    })
  if (options.whenIdle) await untilIdle()
  const lost = lostBy(options.agents ?? false, await workInHand())
  for (const line of lostLines(lost)) process.stderr.write(`${line}\n`)
  await client.shutDown({ body: { agents: options.agents ?? false } })
  const progress = await startProgress('stopping')
  const deadline = Date.now() + LONGEST_WAIT_MS
  try {
    while (await answers(options)) {
      if (Date.now() > deadline)
        throw new Failure('the daemon took the request and still runs', {
          hint: running ? `look at its log; its process is ${running.pid}` : 'look at its log',
        })
      await sleep(100)
    }
  } finally {
    progress.stop()
  }
  const agents = options.agents ? 'its agents were ended' : 'its agents go on'
  if (isData(options)) await printData({ stopped: true, agents: options.agents ?? false, failed: lost }, options)
  else print(`The daemon has stopped; ${agents}.`)
}

/** Also a daemon that answers with a refusal is still there. */
async function answers(options: UrlOption): Promise<boolean> {
  return connect(common(controllerOperations), options)
    .health()
    .then(
      () => true,
      (error: unknown) => error instanceof Failure && error.status !== undefined,
    )
}
