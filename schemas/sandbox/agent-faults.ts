// Errors and warnings of an agent's manifest under the sandbox that it inherits.
import { oneFault, resolvePath, type Fault, type ManifestContext, type Path } from '../kind.ts'
import type { PolicySandbox, Sandbox } from './sandbox.ts'
import { Secret } from '../secret.ts'
import { isWritten, reachableHosts, sandboxManifestFaults, wideFaults, type AnySandbox } from './faults.ts'
import { isAllowedHost } from './hosts.ts'

interface Agent {
  working_dir?: string
  additional_dirs?: (string | undefined)[] | null
  worktree?: boolean
  user?: string | null
  runtime?: string
  env?: Record<string, string | Secret | undefined>
  policy?: string
  sandbox?: Sandbox
}

export function agentSandboxFaults(agent: Agent, context: ManifestContext): Fault[] {
  const homeIsKnown = (agent.user ?? null) === null
  const { sandbox, at } = inForce(agent, context)
  return [
    ...sandboxManifestFaults(agent.sandbox, context, { homeIsKnown }),
    ...(isWritten(sandbox)
      ? [...directoryFaults(agent, context), ...modelFaults(agent, sandbox, at), ...openWarning(agent, sandbox, at)]
      : []),
  ]
}

/** The first that is set, and the field that sets it. */
function inForce({ sandbox, policy }: Agent, context: ManifestContext): { sandbox: AnySandbox; at: Path } {
  if (sandbox !== undefined) return { sandbox, at: ['sandbox'] }
  const named =
    policy === undefined ? undefined : (context.lookUp('policies', policy) as { sandbox?: PolicySandbox } | undefined)
  if (named?.sandbox) return { sandbox: named.sandbox, at: ['policy'] }
  return { sandbox: context.defaultSandbox, at: [] }
}

/** With `worktree` the program writes in the worktree alone. */
function directoryFaults(agent: Agent, context: ManifestContext): Fault[] {
  const { working_dir: main, additional_dirs, worktree } = agent
  const own = main === undefined || worktree ? [] : [[main, ['working_dir']] as const]
  const others = (additional_dirs ?? []).flatMap((each, index) =>
    each === undefined ? [] : [[each, ['additional_dirs', index]] as const],
  )
  return [
    ...[...own, ...others].flatMap(([each, path]) => wideFaults(each, [...path], context)),
    ...own.flatMap(([each]) => temporaryWarning(each, context)),
  ]
}

function temporaryWarning(written: string, context: ManifestContext): Fault[] {
  if (!/^(\/var)?\/tmp(\/|$)/.test(resolvePath(written, context))) return []
  return [
    {
      path: ['working_dir'],
      code: 'sandbox-below-tmp',
      message: `"${written}" is below /tmp: in the sandbox the rest of /tmp is a private folder, empty at each start`,
      hint: 'move the directory elsewhere if the agent needs other files of /tmp',
      severity: 'warning',
    },
  ]
}

const NAME_OF_A_SECRET = /TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|(^|_)KEY$|API_?KEY/i

function openWarning({ env = {} }: Agent, sandbox: AnySandbox, at: Path): Fault[] {
  const names = Object.keys(env).filter((name) => NAME_OF_A_SECRET.test(name))
  if (reachableHosts(sandbox) !== null || names.length === 0) return []
  return [
    {
      path: at,
      code: 'sandbox-network-all',
      message: `network: all lets the program send ${names.map((name) => `env.${name}`).join(', ')} to any host`,
      hint: 'write the hosts that it needs in network.hosts',
      severity: 'warning',
    },
  ]
}

const MODEL_HOST = 'api.anthropic.com'
/** The model is that of a cloud, under a host of its region. */
const OF_A_CLOUD = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY']

function modelFaults({ runtime = 'claude-code', env = {} }: Agent, sandbox: AnySandbox, at: Path): Fault[] {
  const hosts = reachableHosts(sandbox)
  if (runtime !== 'claude-code' || hosts === null || OF_A_CLOUD.some((name) => Object.hasOwn(env, name))) return []
  const base = Object.hasOwn(env, 'ANTHROPIC_BASE_URL') ? env.ANTHROPIC_BASE_URL! : null
  const url = urlOf(base === null ? `https://${MODEL_HOST}` : base instanceof Secret ? base.reveal() : base)
  if (url === null || isAllowedHost(hosts, url.hostname, portOf(url))) return []
  // The value of a variable may be a secret.
  const [what, add] = base === null ? [MODEL_HOST, MODEL_HOST] : ['the host of ANTHROPIC_BASE_URL', 'its host']
  return oneFault(
    at[0] === 'sandbox' ? [...at, 'network'] : at,
    'sandbox-model-unreachable',
    `the sandbox does not let claude-code reach its model at ${what}`,
    `add ${add} to network.hosts`,
  )
}

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'http:' ? 80 : 443))

/** Null for text that is no address, such as a variable without a value. */
function urlOf(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
