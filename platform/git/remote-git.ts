// git that speaks with repositories elsewhere, with credentials that stand in variables of its own process alone.
import type { GitCredentials } from './credentials.ts'
import { environment, gitBytes, TOO_MUCH_SAID, type AskedBytes } from './git.ts'
import { remedyOf } from './remote-remedies.ts'

export interface Outward {
  /** Address of the repository: the credentials are for its server alone. */
  url: string
  env: Readonly<Record<string, string | undefined>>
  home: string
  credentials: GitCredentials
}

export interface Bytes {
  stdout: Buffer
  /** Fit to be shown: printable, short, and without the password. */
  why: string
  failed: boolean
  /** `too-large`: a file, or the answer, passed the bytes it may have; `tips-only`: the server gives what branches and tags name alone. */
  reason: 'too-large' | 'tips-only' | null
}

export interface AskedGit extends AskedBytes {
  variables?: Readonly<Record<string, string>>
}

const MOST_SHOWN = 300
/** Forges heed the token and not the name. */
const ANYBODY = 'git'

/** Without a prompt, and to hosts alone whose key somebody has looked at. */
const SSH = 'ssh -o BatchMode=yes -o StrictHostKeyChecking=yes -o ConnectTimeout=20'

/** Variables of the machine that say how the network is reached. */
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

/** Says the words of the credential protocol out of its own environment: they stand in no argument and no file. */
const HELPER = '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$SVC_GIT_USER" "$SVC_GIT_WORD"; }; f'

/** Of that server: one that it sends to, in whoever's hands, asks in vain. */
const helperOf = (url: string): [string, string] => [`credential.${new URL(url).origin}.helper`, HELPER]

function variablesOf({ url, env, home, credentials }: Outward): Record<string, string> {
  const { username = ANYBODY, passwordVariable } = credentials
  const password = passwordVariable === undefined ? undefined : env[passwordVariable]
  const config: [string, string][] = [
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '30'],
    ['fetch.negotiationAlgorithm', 'noop'],
    ['gc.autoDetach', 'false'],
    // Larger files go by in pieces: they are never whole in memory.
    ['core.bigFileThreshold', '2m'],
    ...(password === undefined || !/^https?:/.test(url) ? [] : [helperOf(url)]),
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
  const key = sshKeyFile === undefined ? [] : ['-o IdentitiesOnly=yes', `-i ${quoted(sshKeyFile)}`]
  // What stands in quotes inside is one file, blanks and all.
  const file = knownHostsFile === undefined ? null : quoted(`UserKnownHostsFile="${knownHostsFile}"`)
  const hosts = file === null ? [] : [`-o ${file}`, '-o GlobalKnownHostsFile=/dev/null']
  return [SSH, ...key, ...hosts].join(' ')
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`

/** Never throws for how git ends. */
export async function gitOutward(
  outward: Outward,
  args: readonly string[],
  { variables = {}, ...asked }: AskedGit = {},
): Promise<Bytes> {
  const { stdout, said, failed } = await gitBytes({ ...variablesOf(outward), ...variables }, args, asked)
  return { stdout, why: shown(said, outward), failed, reason: failed ? reasonOf(said) : null }
}

function reasonOf(said: string): Bytes['reason'] {
  if (said === TOO_MUCH_SAID) return 'too-large'
  // 25 is SIGXFSZ.
  if (/died of signal 25\b|File too large/.test(said)) return 'too-large'
  return /request for unadvertised object/.test(said) ? 'tips-only' : null
}

/** The other end writes part of it. */
function shown(said: string, { url, env, credentials }: Outward): string {
  const password = credentials.passwordVariable === undefined ? undefined : env[credentials.passwordVariable]
  const masked = password ? said.replaceAll(password, '***') : said
  const lines = masked
    .split('\n')
    .map((line) => line.replace(/[^\x20-\x7e]/g, '').trim())
    .filter((line) => line !== '' && !/^(hint|warning):/.test(line))
  return remedyOf(lines, url, credentials) ?? lines.join('; ').slice(0, MOST_SHOWN)
}
