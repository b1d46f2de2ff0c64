// Runs git without untrusted configuration. A repository's configuration, hooks and attributes name programs to run,
// and an agent that may only write files can edit them. So git gets a shadow common folder with our configuration and
// links to the real objects and refs.
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { execa } from 'execa'
import { unprocessable } from '../core/problem.ts'

export interface GitUser {
  env: Readonly<Record<string, string | undefined>>
  /** Command prefix that switches the user. */
  prefix?: readonly string[]
  home?: string | null
}

export interface Answer {
  stdout: string
  stderr: string
  failed: boolean
}

const PATIENCE_MS = 120_000
const NOTHING = '/dev/null'

/** Disables every program that configuration can make git run. */
const CONFIG: Readonly<Record<string, string>> = {
  'safe.directory': '*',
  'core.hooksPath': NOTHING,
  'core.fsmonitor': 'false',
  'core.untrackedCache': 'false',
  'core.attributesFile': NOTHING,
  'core.pager': 'cat',
  'core.editor': 'false',
  'core.askPass': 'false',
  'core.sshCommand': 'false',
  'core.gitProxy': 'false',
  'core.alternateRefsCommand': 'true',
  'sequence.editor': 'false',
  'credential.helper': '',
  'diff.external': '',
  'gpg.program': 'false',
  'commit.gpgSign': 'false',
  'log.showSignature': 'false',
  'protocol.allow': 'never',
  'submodule.recurse': 'false',
  'uploadpack.packObjectsHook': '',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'advice.detachedHead': 'false',
}

/** Environment in which git reads no other configuration and runs nothing. `more` adds configuration. */
export function environment(
  { env, home }: GitUser,
  more: readonly (readonly [key: string, value: string])[] = [],
): Record<string, string> {
  const config = [...Object.entries(CONFIG), ...more]
  const keys = config.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return {
    HOME: home ?? env.HOME ?? '/',
    PATH: env.PATH ?? '',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: NOTHING,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(keys),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'false',
    GIT_EDITOR: 'false',
    GIT_PAGER: 'cat',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
  }
}

/** Does not throw if the program fails, only if it is not installed. */
async function run(user: GitUser, command: readonly string[], variables: Record<string, string>): Promise<Answer> {
  const given = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  // sudo drops variables, so they are set after it.
  const words = user.prefix?.length ? [...user.prefix, 'env', '-i', ...given, ...command] : command
  const [program, ...args] = words as [string, ...string[]]
  const result = await execa(program, args, {
    env: user.prefix?.length ? { PATH: user.env.PATH } : variables,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    cwd: '/',
    timeout: PATIENCE_MS,
  })
  if (result.code === 'ENOENT')
    throw unprocessable(`${program} is not installed: install it, or remove "worktree"`, 'program-missing')
  return { stdout: (result.stdout ?? '').trim(), stderr: (result.stderr ?? '').trim(), failed: result.failed }
}

export interface AskedBytes {
  input?: string
  signal?: AbortSignal | undefined
  patienceMs?: number
  /** Maximum bytes of a file that git writes. */
  mostFileBytes?: number | undefined
}

const MOST_BYTES = 256 * 1024 * 1024
export const TOO_MUCH_SAID = `its output is larger than ${MOST_BYTES / 1024 / 1024} MiB`
/** Unit of `ulimit -f`. */
const BLOCK_BYTES = 512

function limited(mostFileBytes: number | undefined): [program: string, ...args: string[]] {
  if (mostFileBytes === undefined) return ['git']
  return ['sh', '-c', 'ulimit -f "$0" && exec git "$@"', String(Math.ceil(mostFileBytes / BLOCK_BYTES))]
}

/** Does not throw if git fails. */
export async function gitBytes(
  variables: Readonly<Record<string, string>>,
  args: readonly string[],
  { input = '', signal, patienceMs = PATIENCE_MS, mostFileBytes }: AskedBytes = {},
): Promise<{ stdout: Buffer; said: string; failed: boolean; exitCode?: number | undefined }> {
  const [program, ...before] = limited(mostFileBytes)
  const running = execa(program, [...before, ...args], {
    env: variables,
    extendEnv: false,
    reject: false,
    encoding: 'buffer',
    input,
    cwd: '/',
    timeout: patienceMs,
    maxBuffer: MOST_BYTES,
    stripFinalNewline: false,
    ...(signal ? { cancelSignal: signal } : {}),
  })
  // A program that a killed git has started keeps its pipes open, for example until a silent server answers.
  running.once('exit', (_, killedBy) => {
    if (killedBy !== 'SIGTERM' && killedBy !== 'SIGKILL') return
    for (const pipe of [running.stdout, running.stderr]) pipe.destroy()
  })
  const result = await running
  const { failed, exitCode } = result
  const stdout = Buffer.from(result.stdout ?? [])
  if (result.code === 'ENOENT') return { stdout, failed, said: 'git is not installed' }
  if (result.isMaxBuffer) return { stdout: Buffer.alloc(0), failed, said: TOO_MUCH_SAID }
  if (result.timedOut) return { stdout, failed, said: `timed out after ${Math.round(patienceMs / 1000)} seconds` }
  const said = Buffer.from(result.stderr ?? []).toString('utf8') || (result.shortMessage ?? '')
  return { stdout, failed, exitCode, said }
}

/** Runs another program as the same user, for files that the daemon cannot access. */
export function asGitUser(user: GitUser, ...command: string[]): Promise<Answer> {
  return run(user, command, { PATH: user.env.PATH ?? '', LC_ALL: 'C' })
}

interface Place {
  top: string
  /** Differs from `commonDir` in a linked working tree. */
  gitDir: string
  commonDir: string
  /** Path of the requested folder below `top`. */
  below: string
}

/** Null outside a repository. */
export async function findRepository(directory: string, user: GitUser): Promise<Place | null> {
  const found = await askPlace(directory, user, {})
  if (found === null || found.commonDir === found.gitDir) return found
  const isLinked = dirname(found.gitDir) === join(found.commonDir, 'worktrees')
  // An agent could write `commondir` into a main checkout, and so choose the configuration.
  return isLinked ? found : askPlace(directory, user, { GIT_COMMON_DIR: found.gitDir })
}

async function askPlace(directory: string, user: GitUser, more: Record<string, string>): Promise<Place | null> {
  const asked = ['--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir', '--show-prefix']
  const found = await run(user, ['git', '-C', directory, 'rev-parse', ...asked], { ...environment(user), ...more })
  if (found.failed) return null
  const [top = '', gitDir = '', commonDir = '', below = ''] = found.stdout.split('\n')
  return { top, gitDir, commonDir, below: below.replace(/\/$/, '') }
}

/** Data that the shadow folder links to; not configuration, hooks, attributes or modules. */
const LINKED = ['objects', 'refs', 'packed-refs', 'reftable', 'logs', 'worktrees', 'shallow']

/** Settings needed to read a repository correctly. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  'core.repositoryformatversion': /^[01]$/,
  'core.filemode': /^(true|false)$/,
  'core.symlinks': /^(true|false)$/,
  'core.ignorecase': /^(true|false)$/,
  'core.precomposeunicode': /^(true|false)$/,
  'core.autocrlf': /^(true|false|input)$/,
  'core.eol': /^(lf|crlf|native)$/,
  'extensions.objectformat': /^(sha1|sha256)$/,
  'extensions.refstorage': /^(files|reftable)$/,
}

/** A repository used with our configuration. Call `close` when done. */
export class Repository {
  readonly place: Place
  readonly #user: GitUser
  readonly #shadow: string

  private constructor(place: Place, user: GitUser, shadow: string) {
    this.place = place
    this.#user = user
    this.#shadow = shadow
  }

  /** Null outside a repository. */
  static async open(directory: string, user: GitUser): Promise<Repository | null> {
    const place = await findRepository(directory, user)
    if (place === null) return null
    const shadow = await mkdtemp(join(tmpdir(), 'svc-git-'))
    const repository = new Repository(place, user, shadow)
    try {
      await repository.#fill()
      return repository
    } catch (error) {
      await repository.close()
      throw error
    }
  }

  git(...args: string[]): Promise<Answer> {
    return run(this.#user, ['git', '-C', this.place.commonDir, ...args], {
      ...environment(this.#user),
      GIT_DIR: this.#shadow,
      GIT_COMMON_DIR: this.#shadow,
    })
  }

  /** Runs git in a linked working tree; `index` replaces its index file. */
  gitIn(tree: { top: string; gitDir: string; index?: string }, ...args: string[]): Promise<Answer> {
    return run(this.#user, ['git', '-C', tree.top, ...args], {
      ...environment(this.#user),
      GIT_DIR: tree.gitDir,
      GIT_WORK_TREE: tree.top,
      ...(tree.index ? { GIT_INDEX_FILE: tree.index } : {}),
      GIT_COMMON_DIR: this.#shadow,
    })
  }

  async close(): Promise<void> {
    await rm(this.#shadow, { recursive: true, force: true })
  }

  async #fill(): Promise<void> {
    const { commonDir } = this.place
    // The other user writes only through the links.
    if (this.#user.prefix?.length) await chmod(this.#shadow, 0o755)
    const [config, head] = await Promise.all([this.#harmlessConfig(), this.#head()])
    await asGitUser(this.#user, 'mkdir', '-p', '--', join(commonDir, 'worktrees'))
    await Promise.all([
      writeFile(join(this.#shadow, 'config'), config),
      writeFile(join(this.#shadow, 'HEAD'), `${head}\n`),
      ...LINKED.map((name) => symlink(join(commonDir, name), join(this.#shadow, name))),
      mkdir(join(this.#shadow, 'info')).then(() =>
        symlink(join(commonDir, 'info', 'exclude'), join(this.#shadow, 'info', 'exclude')),
      ),
    ])
  }

  async #head(): Promise<string> {
    const { top, gitDir, commonDir } = this.place
    const own = { ...environment(this.#user), GIT_DIR: gitDir, GIT_COMMON_DIR: commonDir }
    const asked = (...args: string[]) => run(this.#user, ['git', '-C', top, ...args], own)
    const branch = await asked('symbolic-ref', '-q', 'HEAD')
    return branch.failed ? (await asked('rev-parse', '--verify', '-q', 'HEAD')).stdout : `ref: ${branch.stdout}`
  }

  async #harmlessConfig(): Promise<string> {
    const file = join(this.place.commonDir, 'config')
    const list = ['git', 'config', '--file', file, '--no-includes', '--null', '--list']
    const { stdout } = await run(this.#user, list, { ...environment(this.#user), GIT_DIR: NOTHING })
    const values = new Map<string, string>()
    for (const entry of stdout.split('\0')) {
      const [key = '', value = ''] = entry.split('\n')
      if (HARMLESS[key]?.test(value)) values.set(key, value)
    }
    if (!values.has('core.repositoryformatversion')) values.set('core.repositoryformatversion', '0')
    return [...values]
      .map(([key, value]) => `[${dirname(key.replace('.', '/'))}]\n${basename(key.replace('.', '/'))} = ${value}\n`)
      .join('')
  }
}
