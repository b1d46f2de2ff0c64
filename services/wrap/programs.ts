import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { text } from '../../platform/service/settings.ts'
import type { LaunchRequest, WrapAgentType } from '../../schemas/wrap/launch.ts'

interface Program {
  /** Each value is joined to its option, so that it cannot become another option. */
  args(request: LaunchRequest): string[]
  install: string
}

const NONE = 'none'
const option = (name: string, value: string): string[] => (value === NONE ? [] : [`--${name}=${value}`])
const npm = (name: string) => `npm install -g ${name}`

const PROGRAMS: Record<WrapAgentType, Program> = {
  'alpha-code': { args: () => [], install: npm('@anthropic-ai/claude-code') },
  beta: { args: () => [], install: npm('@charmland/crush') },
  'gamma-code': {
    args: ({ model_provider, model_name }) => [...option('provider', model_provider), ...option('model', model_name)],
    install: npm('opencode-ai'),
  },
  delta: { args: ({ model_name }) => option('model', model_name), install: npm('@google/gemini-cli') },
  general: { args: () => [], install: 'set SHELL to an installed shell' },
}

const USERS_SHELL = 'shell'

/** Programs with arguments separated by spaces; not parsed by a shell. */
export const commandSettings = {
  alphaCodeCommand: text({ default: 'claude' }),
  betaCommand: text({ default: 'crush' }),
  gammaCodeCommand: text({ default: 'opencode' }),
  deltaCommand: text({ default: 'gemini' }),
  generalCommand: text({ default: USERS_SHELL }),
}

const SETTING = {
  'alpha-code': 'alphaCodeCommand',
  beta: 'betaCommand',
  'gamma-code': 'gammaCodeCommand',
  delta: 'deltaCommand',
  general: 'generalCommand',
} as const satisfies Record<WrapAgentType, keyof typeof commandSettings>

type Commands = Readonly<Record<keyof typeof commandSettings, string>>
type Environment = Readonly<Record<string, string | undefined>>

export interface Found {
  command: string[]
  /** Null if the program can be started. */
  missing: string | null
}

export function programFor(request: LaunchRequest, commands: Commands, env: Environment): Found {
  const { args, install } = PROGRAMS[request.agent_type]
  const setting = SETTING[request.agent_type]
  const given = commands[setting]
  const words = given === USERS_SHELL ? [env.SHELL || 'bash'] : given.trim().split(/\s+/)
  const [name = ''] = words
  const path = findProgram(name, env)
  const variable = `SVC_WRAP_${request.agent_type.replace('-', '_').toUpperCase()}_COMMAND`
  return {
    command: [path ?? name, ...words.slice(1), ...args(request)],
    missing: path === null ? `${name} is not installed: ${install}, or set ${variable} to another program` : null,
  }
}

function findProgram(name: string, env: Environment): string | null {
  const places = isAbsolute(name)
    ? [name]
    : (env.PATH ?? '')
        .split(delimiter)
        .filter(isAbsolute)
        .map((each) => join(each, name))
  return places.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
