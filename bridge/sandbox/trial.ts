// `svc-agent --sandbox FILE [COMMAND…]`: a command of a person in the sandbox of an agent, in the person's terminal.
import { randomUUID } from 'node:crypto'
import { rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Launch } from '../../schemas/agent/launch.ts'
import { LaunchFault, takeLaunch } from '../launch-file.ts'
import { runInTerminal } from '../passthrough.ts'
import { findProgram } from '../program-lookup.ts'
import { realTimers as timers } from '../timers.ts'
import { refusalText } from './refusals.ts'
import { emptyFolder, Sandbox } from './sandbox.ts'

/** Without a command, prints the arguments of bubblewrap as JSON. Throws a LaunchFault. */
export async function runTrial([path = '', ...command]: string[], session: NodeJS.ProcessEnv): Promise<number> {
  const launch = takeLaunch(path)
  if (launch.sandbox === null) throw new LaunchFault('the agent has no sandbox', 64, 'run the command without one')
  // The process of the agent may be using its own folder, which each start empties.
  const own = dirname(launch.sandbox.tmp)
  const folder = join(own, `trial-${randomUUID()}`)
  const rules = { ...launch.sandbox, tmp: join(folder, 'tmp') }
  try {
    const sandbox = Sandbox.open({ ...launch, env: envOf(launch, session), sandbox: rules }, session, timers)!
    if (command.length === 0) {
      process.stdout.write(`${JSON.stringify(describe(launch, sandbox)).replaceAll(folder, own)}\n`)
      return 0
    }
    sandbox.refusals.onReport = (refusal) => process.stderr.write(`${refusalText(refusal)}\n`)
    return await runInTerminal(command, launch.directory, sandbox.environment, sandbox)
  } finally {
    removeFolder(folder)
  }
}

/** The file has no values, which are secret: those of the person's shell count. */
const envOf = ({ env }: Launch, session: NodeJS.ProcessEnv): Launch['env'] =>
  Object.fromEntries(Object.entries(env).map(([name, redacted]) => [name, session[name] ?? redacted]))

/** As at a start of the agent. */
function describe({ command: [name = process.execPath], ...launch }: Launch, sandbox: Sandbox): object {
  const { directory, runtime } = launch
  const program = findProgram(name, directory, sandbox.environment['PATH'])
  const isInteractive = launch.interactive || runtime === 'socket'
  return { bwrap: sandbox.bwrap, arguments: sandbox.arguments({ program, directory, isInteractive }) }
}

function removeFolder(folder: string): void {
  try {
    emptyFolder(folder)
    rmdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // It was not made if the sandbox could not be opened.
    if (code !== 'ENOENT') process.stderr.write(`warning: ${folder} cannot be removed: ${code ?? 'unknown error'}\n`)
  }
}
