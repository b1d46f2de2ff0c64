// Credentials exist only in the environment of the git process.
import type { GitCredentials } from './credentials.ts'
import { environment, gitBytes, TOO_MUCH_SAID, type AskedBytes } from './git.ts'
import { remedyOf } from './remote-remedies.ts'
import { shellWord } from '../core/shell-word.ts'

export interface Outward {
  /** Credentials are sent only to its server. */
  url: string
  env: Readonly<Record<string, string | undefined>>
  home: string
  credentials: GitCredentials
}

export interface Bytes {
  stdout: Buffer
  /** Safe to display: printable, short, without the password. */
  why: string
  failed: boolean
  /** Undefined if git was not started or was stopped. */
  exitCode: number | undefined
  /** `tips-only`: the server serves only branch and tag tips. */
  reason: 'too-large' | 'tips-only' | null
}

export interface AskedGit extends AskedBytes {
  variables?: Readonly<Record<string, string>>
}

const MOST_SHOWN = 300
/** Forges ignore the username. */
const DEFAULT_USERNAME = 'git'

const SSH = 'ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=20'

const PASSED = [
  'SSH_AUTH_SOCK',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'GIT_SSL_CAINFO',
]

/** Reads credentials from its environment, so that they appear in no argument or file. */
const HELPER = '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$SVC_GIT_USER" "$SVC_GIT_WORD"; }; f'

/** A redirect to another server gets no credentials. */
const helperOf = (url: string): [string, string] => [`credential.${new URL(url).origin}.helper`, HELPER]

function variablesOf({ url, env, home, credentials }: Outward): Record<string, string> {
  const { username = DEFAULT_USERNAME, passwordVariable } = credentials
  // Others ask for no password, and hooks of a repository on disk have the environment of git.
  const isAsked = passwordVariable !== undefined && /^https?:/.test(url)
  const password = isAsked ? env[passwordVariable] : undefined
  const config: [string, string][] = [
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '30'],
    ['fetch.negotiationAlgorithm', 'noop'],
    ['gc.autoDetach', 'false'],
    // Streams larger files instead of loading them.
    ['core.bigFileThreshold', '2m'],
    ...(password === undefined ? [] : [helperOf(url)]),
  ]
  const passed = PASSED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]))
  return {
    ...environment({ env, home }, config),
    ...Object.fromEntries(passed),
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:file',
    GIT_NO_LAZY_FETCH: '0',
    GIT_SSH_COMMAND: sshCommand(credentials),
    ...(password === undefined ? {} : { SVC_GIT_USER: username, SVC_GIT_WORD: password }),
  }
}

function sshCommand({ sshKeyFile, knownHostsFile }: GitCredentials): string {
  const key = sshKeyFile === undefined ? [] : ['-o IdentitiesOnly=yes', `-i ${shellWord(sshKeyFile)}`]
  // Inner quotes, so that ssh does not split at spaces.
  const file = knownHostsFile === undefined ? null : shellWord(`UserKnownHostsFile="${knownHostsFile}"`)
  const hosts = file === null ? [] : [`-o ${file}`, '-o GlobalKnownHostsFile=/dev/null']
  return [SSH, ...key, ...hosts].join(' ')
}

export async function gitOutward(
  outward: Outward,
  args: readonly string[],
  { variables = {}, ...asked }: AskedGit = {},
): Promise<Bytes> {
  const { stdout, said, failed, exitCode } = await gitBytes({ ...variablesOf(outward), ...variables }, args, asked)
  return { stdout, why: shown(said, outward), failed, exitCode, reason: failed ? reasonOf(said) : null }
}

function reasonOf(said: string): Bytes['reason'] {
  if (said === TOO_MUCH_SAID) return 'too-large'
  // 25 is SIGXFSZ.
  if (/died of signal 25\b|File too large/.test(said)) return 'too-large'
  return /request for unadvertised object/.test(said) ? 'tips-only' : null
}

/** Sanitises the output, which the server partly controls. */
function shown(said: string, { url, env, credentials }: Outward): string {
  const password = credentials.passwordVariable === undefined ? undefined : env[credentials.passwordVariable]
  const masked = password ? said.replaceAll(password, '***') : said
  const lines = masked
    .split('\n')
    .map((line) => line.replace(/[^\x20-\x7e]/g, '').trim())
    .filter((line) => line !== '' && !/^(hint|warning):/.test(line))
  return remedyOf(lines, url, credentials) ?? lines.join('; ').slice(0, MOST_SHOWN)
}
