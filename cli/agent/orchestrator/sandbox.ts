// `agent orchestrator sandbox`: the bridge, which starts the programs of agents, makes the sandbox here.
import { spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Launch } from '../../../schemas/agent/launch.ts'
import type { SandboxTrial } from '../../../schemas/agent/sandbox-trial.ts'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import { userPrefix } from '../../../platform/core/user-prefix.ts'
import { typed } from '../../command-line.ts'
import { Failure } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import { withDaemon, withExamples, type DaemonOptions } from '../../options.ts'
import { show } from '../../output/data.ts'
import { visible } from '../../output/print.ts'
import { sandboxText, type MadeSandbox } from '../../output/sandbox-arguments.ts'
import { config } from '../../settings.ts'

export function define(command: Command): void {
  command
    .argument('<agent>', 'Id, or name if unique')
    .argument('[command...]', 'Command to run in the sandbox, after --')
  withExamples(
    withDaemon(command),
    'agent orchestrator sandbox planner',
    'agent orchestrator sandbox planner -- ls -la',
  ).action(trySandbox)
}

async function trySandbox(word: string, command: string[], options: DaemonOptions): Promise<void> {
  const { id } = await findAgent(word, options)
  const trial = await connect(orchestratorOperations, options).getAgentSandbox({ params: { id } })
  if (trial.sandbox === null) throw noSandbox(trial)
  refuseOtherUser(trial)
  const { code, output } = await runBridge(trial, command)
  process.exitCode = code
  if (command.length > 0 || code !== 0) return
  const made: MadeSandbox = { ...trial, ...JSON.parse(output) }
  await show(made, options, () => sandboxText(made))
}

function noSandbox({ agent_name, reason, start }: SandboxTrial): Failure {
  const when = start === 'next' ? 'its next start ' : 'it '
  const written = reason?.code === 'sandbox-off'
  return new Failure(`agent ${visible(agent_name)} has no sandbox: ${visible(reason?.message ?? 'reason unknown')}`, {
    ...(reason && { where: reason.code }),
    hint: written
      ? `${when}runs as your other programs do; write sandbox: auto in its manifest to change that`
      : `run "${typed`svc doctor`}" to check whether sandboxes run here`,
  })
}

/** The sandbox is that of the user who starts it. */
function refuseOtherUser({ user, uid }: SandboxTrial): void {
  const own = process.getuid?.()
  if (user !== null || uid === null || uid === own) return
  throw new Failure(`the agent runs as the user of the daemon (uid ${uid}), and this command as uid ${own}`, {
    hint: 'run it as the user of the daemon, on the machine of the daemon',
  })
}

/** Of the same form as a start of the agent, without its identity and secrets. */
const launchOf = (trial: SandboxTrial): Launch => ({
  agent_id: trial.agent_id,
  agent_name: trial.agent_name,
  // A command of a person must not reach the daemon as the agent, or as the person.
  url: NO_DAEMON,
  orchestrator_url: NO_DAEMON,
  tools_url: NO_DAEMON,
  token: '',
  tools_token: '',
  runtime: trial.runtime,
  interactive: trial.interactive,
  command: trial.command,
  directory: trial.directory,
  additional_dirs: [],
  env: Object.fromEntries(trial.variables.map((name) => [name, '***'])),
  model: null,
  system_prompt: null,
  resume_session: null,
  sandbox: trial.sandbox,
})

const NO_DAEMON = 'http://daemon.invalid'

async function runBridge(trial: SandboxTrial, command: string[]): Promise<{ code: number; output: string }> {
  const { bundledBridge } = await import('../../../daemon/package-root.ts')
  const folder = mkdtempSync(join(tmpdir(), 'svc-sandbox-'))
  try {
    const file = join(folder, 'launch.json')
    writeFileSync(file, JSON.stringify(launchOf(trial)))
    // The user of the agent reads and removes it; it has no secrets.
    if (trial.user !== null && trial.user !== userInfo().username) chmodSync(folder, 0o777)
    const bridge = [process.execPath, bundledBridge(), '--sandbox', file, ...command]
    return await run([...asUser(trial), ...bridge], command.length === 0 ? PRINTING : 'inherit')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const PRINTING: StdioOptions = ['inherit', 'pipe', 'inherit']

function asUser({ user, home }: SandboxTrial): string[] {
  const identity = home === null ? [] : [`HOME=${home}`]
  if (user === null || user === userInfo().username) return ['env', ...identity]
  return [
    ...userPrefix(user),
    'env',
    '-u',
    'TMPDIR',
    '-u',
    'SSH_AUTH_SOCK',
    `USER=${user}`,
    `LOGNAME=${user}`,
    ...identity,
  ]
}

/** The terminal sends the first two to all its programs. */
const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const

async function run([program, ...args]: string[], stdio: StdioOptions): Promise<{ code: number; output: string }> {
  const child = spawn(program!, args, { stdio, env: config().env })
  for (const [at, name] of SIGNALS.entries())
    process.on(name, () => void (at < 2 && process.stdin.isTTY ? undefined : child.kill(name)))
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code, signal] = await once(child, 'close').catch((error: Error) => {
    throw new Failure(`cannot start ${program}: ${error.message}`, { hint: 'install it, or add its folder to PATH' })
  })
  return { code: code ?? 128 + constants.signals[signal as NodeJS.Signals], output }
}
