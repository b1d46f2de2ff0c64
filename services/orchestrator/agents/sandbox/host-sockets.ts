// Sockets of the host that a sandboxed program may use, by the names that a manifest gives them.
import { execa } from 'execa'
import { unprocessable } from '../../../../platform/core/problem.ts'
import type { AgentSpec } from '../../../../schemas/agent.ts'
import type { OsUser } from '../os-user.ts'

interface Asking {
  spec: Pick<AgentSpec, 'env'>
  user: OsUser | null
  env: Readonly<Record<string, string | undefined>>
  home: string
}

/** Absolute paths. Throws 422 if one is not known for the agent's user. */
export async function hostSockets(names: readonly string[], asking: Asking): Promise<string[]> {
  return Promise.all(
    names.map(async (name) => {
      if (name === 'ssh-agent') return sshSocket(asking)
      return name === 'gpg-agent' ? await gpgSocket(asking) : name
    }),
  )
}

/** Another user has no part in the session of the daemon. */
function sshSocket({ spec, user, env }: Asking): string {
  const found = spec.env.SSH_AUTH_SOCK?.reveal() ?? (user ? undefined : env.SSH_AUTH_SOCK)
  if (found) return found
  throw missing('ssh-agent', 'SSH_AUTH_SOCK is not set: start one and set SSH_AUTH_SOCK in "env" of the agent')
}

async function gpgSocket({ user, env, home }: Asking): Promise<string> {
  const command = [...(user?.prefix ?? []), 'gpgconf', '--list-dirs', 'agent-socket']
  const [program = '', ...args] = command
  const { failed, stdout } = await execa(program, args, {
    env: { PATH: env.PATH, HOME: home },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  })
  if (!failed && stdout.trim() !== '') return stdout.trim()
  throw missing('gpg-agent', 'gpgconf does not name its socket: install gnupg, or write the path of the socket')
}

const missing = (name: string, why: string) => unprocessable(`sandbox.sockets: ${name}: ${why}`, 'sandbox-path-missing')
