// Reads the launch file: what to run, as whom, and where to dial. Its values are secret, so errors name members,
// never values.
import { readFileSync, rmSync } from 'node:fs'
import type { Launch } from '../schemas/agent/launch.ts'
import { isFrame, parseFrame, type Frame } from './frames.ts'

type Shape = 'text' | 'text or null' | 'boolean' | 'texts' | 'texts by name'

/** Written by hand because ajv and typebox would double the start-up time of every agent. */
const MEMBERS: Record<keyof Launch, Shape> = {
  agent_id: 'text',
  agent_name: 'text',
  url: 'text',
  orchestrator_url: 'text',
  tools_url: 'text',
  token: 'text',
  tools_token: 'text',
  runtime: 'text',
  interactive: 'boolean',
  command: 'texts',
  directory: 'text',
  additional_dirs: 'texts',
  env: 'texts by name',
  model: 'text or null',
  system_prompt: 'text or null',
  resume_session: 'text or null',
}

const isText = (value: unknown) => typeof value === 'string'

const FITS: Record<Shape, (value: unknown) => boolean> = {
  text: isText,
  'text or null': (value) => value === null || isText(value),
  boolean: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every(isText),
  'texts by name': (value) => isFrame(value) && Object.values(value).every(isText),
}

/** A fault of the launch file or of what it asks for, with the code to exit with. */
export class LaunchFault extends Error {
  readonly exitCode: number
  readonly hint: string

  constructor(message: string, exitCode: number, hint: string) {
    super(message)
    this.exitCode = exitCode
    this.hint = hint
  }
}

const REMEDY =
  'this program is started by the orchestrator, which writes the file; restart the agent to have it written again'

/** Throws a LaunchFault (64) when the file is missing or not a launch file. */
function readLaunch(path: string): Launch {
  const frame = parseFrame(readText(path))
  if (!frame) throw new LaunchFault(`the launch file is not a JSON object (${path})`, 64, REMEDY)
  const faults = Object.entries(MEMBERS)
    .filter(([member, shape]) => !FITS[shape](frame[member]))
    .map(([member, shape]) => `"${member}" should be ${shape}, instead it is ${kindOf(frame, member)}`)
  if (faults.length > 0)
    throw new LaunchFault(`the launch file is not complete (${path}): ${faults.join('; ')}`, 64, REMEDY)
  return frame as unknown as Launch
}

/** Reads the file and removes it: it holds secrets, and nobody reads it again. A start writes a new one. */
export function takeLaunch(path: string): Launch {
  const launch = readLaunch(path)
  try {
    rmSync(path, { force: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    process.stderr.write(`warning: the launch file cannot be removed (${path}): ${code ?? 'unknown fault'}\n`)
  }
  return launch
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new LaunchFault(
      `the launch file cannot be read (${path}): ${(error as NodeJS.ErrnoException).code ?? 'unknown fault'}`,
      64,
      REMEDY,
    )
  }
}

function kindOf(frame: Frame, member: string): string {
  const value = frame[member]
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `of type ${typeof value}`
}

/**
 * The environment of the agent: the session's own, the manifest's over it, and who the agent is over both. Its secret
 * is for a program that dials the socket itself; behind the bridge only the bridge has it.
 */
export function agentEnvironment(launch: Launch, inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { SVC_AGENT_TOKEN: _, ...env } = { ...inherited, ...launch.env }
  return {
    ...env,
    SVC_AGENT_ID: launch.agent_id,
    SVC_AGENT_NAME: launch.agent_name,
    SVC_AGENT_WS_URL: launch.url,
    ...(launch.runtime === 'socket' ? { SVC_AGENT_TOKEN: launch.token } : {}),
    SVC_ORCHESTRATOR_URL: launch.orchestrator_url,
    SVC_TOOLS_URL: launch.tools_url,
    SVC_TOOLS_TOKEN: launch.tools_token,
  }
}
