// Reads the launch file. Its values are secret, so errors name fields, never values.
import { readFileSync, rmSync } from 'node:fs'
import type { Launch } from '../schemas/agent/launch.ts'
import { isFrame, parseFrame, type Frame } from './frames.ts'

type Shape =
  | 'a string'
  | 'a string or null'
  | 'a boolean'
  | 'a list of strings'
  | 'a map of strings'
  | 'an object or null'

/** Written by hand because ajv and typebox would double the start-up time of every agent. */
const MEMBERS: Record<keyof Launch, Shape> = {
  agent_id: 'a string',
  agent_name: 'a string',
  url: 'a string',
  orchestrator_url: 'a string',
  tools_url: 'a string',
  token: 'a string',
  tools_token: 'a string',
  runtime: 'a string',
  interactive: 'a boolean',
  command: 'a list of strings',
  directory: 'a string',
  additional_dirs: 'a list of strings',
  env: 'a map of strings',
  model: 'a string or null',
  system_prompt: 'a string or null',
  resume_session: 'a string or null',
  sandbox: 'an object or null',
}

const isText = (value: unknown) => typeof value === 'string'

const FITS: Record<Shape, (value: unknown) => boolean> = {
  'a string': isText,
  'a string or null': (value) => value === null || isText(value),
  'an object or null': (value) => value === null || isFrame(value),
  'a boolean': (value) => typeof value === 'boolean',
  'a list of strings': (value) => Array.isArray(value) && value.every(isText),
  'a map of strings': (value) => isFrame(value) && Object.values(value).every(isText),
}

export class LaunchFault extends Error {
  readonly exitCode: number
  readonly hint: string

  constructor(message: string, exitCode: number, hint: string) {
    super(message)
    this.exitCode = exitCode
    this.hint = hint
  }
}

const REMEDY = 'the orchestrator writes this file; restart the agent to write it again'

/** Throws a LaunchFault (64) if the file is missing or invalid. */
function readLaunch(path: string): Launch {
  const frame = parseFrame(readText(path))
  if (!frame) throw new LaunchFault(`the launch file is not a JSON object (${path})`, 64, REMEDY)
  const faults = Object.entries(MEMBERS)
    .filter(([member, shape]) => !FITS[shape](frame[member]))
    .map(([member, shape]) => `${member}: expected ${shape}, got ${kindOf(frame, member)}`)
  if (faults.length > 0) throw new LaunchFault(`invalid launch file (${path}): ${faults.join('; ')}`, 64, REMEDY)
  return frame as unknown as Launch
}

/** Removes the file after reading, because it contains secrets. Each start writes a new one. */
export function takeLaunch(path: string): Launch {
  const launch = readLaunch(path)
  try {
    rmSync(path, { force: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    process.stderr.write(`warning: the launch file cannot be removed (${path}): ${code ?? 'unknown error'}\n`)
  }
  return launch
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new LaunchFault(
      `the launch file cannot be read (${path}): ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`,
      64,
      REMEDY,
    )
  }
}

function kindOf(frame: Frame, member: string): string {
  const value = frame[member]
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}

/** Later entries win: session, manifest, identity. Only programs that open the socket themselves get the secret. */
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
