// `svc-agent --launch FILE`: the process in an agent's session.
import { Masker } from '../platform/secrets/masking/masker.ts'
import type { Launch } from '../schemas/agent/launch.ts'
import { AcpProgram } from './acp/program.ts'
import { claudeCommand, claudeEnvironment, claudeProgram, claudeTerminalCommand } from './claude-code.ts'
import { joinProgram, type JoinOptions } from './join.ts'
import { agentEnvironment, LaunchFault, takeLaunch } from './launch-file.ts'
import { createPane } from './pane.ts'
import { runInTerminal } from './passthrough.ts'
import { probeClaudeCode, probeProgram, versionOf } from './probe.ts'
import { startProgram } from './program.ts'
import { ResumingProgram } from './resume.ts'
import { runScripted, scriptedCommand } from './scripted/main.ts'
import { Sandbox } from './sandbox/sandbox.ts'
import { runTrial } from './sandbox/trial.ts'
import { realTimers as timers } from './timers.ts'

const USAGE = 'usage: svc-agent --launch FILE'

/** Seconds without a connection before the agent exits with 75. */
const DEFAULT_GIVE_UP_SECS = 600

function launchPath(args: readonly string[]): string {
  if (args.length === 2 && args[0] === '--launch') return args[1]!
  const fault = args.length === 0 ? 'no launch file given' : `wrong arguments: ${args.join(' ')}`
  throw new LaunchFault(fault, 64, USAGE)
}

function giveUpMs(value: string | undefined): number {
  const seconds = Number(value ?? DEFAULT_GIVE_UP_SECS)
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000
  throw new LaunchFault(
    `SVC_BRIDGE_GIVE_UP_SECS: expected a number of seconds, got "${value}"`,
    64,
    `unset it for the default of ${DEFAULT_GIVE_UP_SECS}`,
  )
}

function adapter(
  launch: Launch,
  env: NodeJS.ProcessEnv,
  sandbox: Sandbox | null,
): Pick<JoinOptions, 'start' | 'probe'> {
  const stdio =
    (command: string[], env: NodeJS.ProcessEnv): JoinOptions['start'] =>
    (listeners) =>
      startProgram({ command, directory: launch.directory, env, timers, sandbox, ...listeners })
  const start = stdio(launch.command, env)
  const probe: JoinOptions['probe'] = (questions) => probeProgram(questions, launch.runtime)
  if (launch.runtime === 'scripted') return { start: stdio(scriptedCommand(launch, import.meta.url), env), probe }
  if (launch.runtime === 'command') return { start, probe }
  if (launch.runtime === 'acp')
    return { start: (listeners) => new AcpProgram({ launch, timers, ...listeners, start }), probe }
  const forClaude = claudeEnvironment(env, launch)
  const fresh = stdio(claudeCommand({ ...launch, resume_session: null }), forClaude)
  return {
    start: launch.resume_session
      ? (listeners) => new ResumingProgram(listeners, stdio(claudeCommand(launch), forClaude), fresh)
      : fresh,
    probe: (questions) =>
      probeClaudeCode(questions, () => {
        const command = claudeProgram(launch)
        return versionOf({ command, directory: launch.directory, env: forClaude, timers, sandbox })
      }),
  }
}

function withInstruction(launch: Launch, instruction: string): Launch {
  const { system_prompt } = launch
  return { ...launch, system_prompt: system_prompt === null ? instruction : `${system_prompt}\n\n${instruction}` }
}

async function run(args: readonly string[]): Promise<number> {
  if (args[0] === '--scripted') return runScripted(args.slice(1), process.env)
  if (args[0] === '--sandbox') return runTrial(args.slice(1), process.env)
  const taken = takeLaunch(launchPath(args))
  const sandbox = Sandbox.open(taken, process.env, timers)
  const env = sandbox?.environment ?? agentEnvironment(taken, process.env)
  const launch = sandbox ? withInstruction(taken, sandbox.instruction) : taken
  if (launch.interactive && launch.runtime === 'claude-code')
    return runInTerminal(claudeTerminalCommand(launch), launch.directory, claudeEnvironment(env, launch), sandbox)
  if (launch.interactive || launch.runtime === 'socket')
    return runInTerminal(launch.command, launch.directory, env, sandbox)
  const secrets = new Masker([...Object.values(launch.env), launch.token, launch.tools_token])
  const pane = createPane(timers, secrets)
  return joinProgram({
    launch,
    timers,
    pane,
    sandbox,
    giveUpMs: giveUpMs(process.env['SVC_BRIDGE_GIVE_UP_SECS']),
    ...adapter(launch, env, sandbox),
  })
}

// A closed terminal must not fail the agent's work.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof LaunchFault)) throw error
  // The orchestrator shows the last line.
  const separator = error.exitCode === 71 ? '; ' : '\nhint: '
  process.stderr.write(`error: ${error.message}${separator}${error.hint}\n`)
  process.exitCode = error.exitCode
}
process.exit()
