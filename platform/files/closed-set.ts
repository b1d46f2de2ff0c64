// The paths that no operation opens because a caller names them: the only list of them.
import { lstatSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join, sep } from 'node:path'
import { sqliteFile, type Config } from '../core/config.ts'
import { unprocessable, type Problem } from '../core/problem.ts'
import { realOf } from '../core/real-path.ts'
import { isForAgents, isWithin } from './within.ts'

export type Places = Pick<
  Config,
  'dataDir' | 'keyFile' | 'tokensFile' | 'serviceTokenFile' | 'configFile' | 'databaseUrl' | 'home' | 'env'
>

/** In each home directory. */
const CREDENTIALS = `
  .ssh .gnupg .aws .azure .kube .docker .netrc .npmrc .pypirc .git-credentials .password-store .vault-token .terraform.d
  .pki .local/share/keyrings .local/share/kwalletd .config/gcloud .config/gh .config/op .mozilla .config/google-chrome
  .config/chromium .config/BraveSoftware .config/microsoft-edge .bash_history .zsh_history .local/share/fish
  .python_history .node_repl_history .psql_history .mysql_history .sqlite_history .rediscli_history`
  .trim()
  .split(/\s+/)

/** Of agents of another user than the daemon's, in that user's home directory. */
const PRIVATE_FOLDERS = join('.local', 'share', 'svc')

/** `/proc` shows the environment of every process. */
const OF_THE_SYSTEM = ['/proc', '/etc/shadow', '/etc/gshadow', '/etc/sudoers.d', '/run/secrets', '/run/credentials']

/** A launch file of another OS user is in that user's temporary folder. */
const LAUNCH_FILE = /^svc-launch-[\da-f-]{36}\./

export interface Closed {
  path: string
  /** What opens it, or the alternative. */
  next: string
}

export class ClosedSet {
  readonly #places: Places

  constructor(places: Places) {
    this.#places = places
  }

  /**
   * Returns the closed path that is `real`, or contains it; null if it is open. `own`: folders inside the data directory
   * that the caller may use; default all folders of agents and checkouts.
   */
  closing(real: string, own?: readonly string[]): Closed | null {
    const path = this.#near(real).find(
      (each) => isWithin(real, each) && !(this.#isData(each) && this.#isOpen(real, own)),
    )
    if (path !== undefined) return { path, next: this.#isData(path) ? OF_DATA : OF_OTHERS }
    return LAUNCH_FILE.test(basename(real)) ? { path: real, next: OF_OTHERS } : null
  }

  /** Closed paths below `folder`, which may itself be used. */
  hiddenIn(folder: string): string[] {
    return this.#near(folder).filter((each) => each !== folder && isWithin(each, folder))
  }

  /** Throws 422 `path-closed`. `shown`: the path as the caller wrote it. */
  refuse(member: string, shown: string, { real, own }: { real: string; own?: readonly string[] | undefined }): void {
    const closed = this.closing(real, own)
    if (closed === null) return
    throw pathClosed(
      `${member} ${JSON.stringify(shown)} ${real === closed.path ? 'is' : 'is in'} ${closed.path}, which is closed: ${closed.next}`,
    )
  }

  /** True for `/`, a home directory, and any directory above one. */
  holdsHome(folder: string): boolean {
    return folder === sep || this.#homes().some((home) => isWithin(home, folder))
  }

  isInData(path: string): boolean {
    const { dataDir } = this.#places
    return isWithin(path, dataDir) || isWithin(path, realOf(dataDir))
  }

  #isData(path: string): boolean {
    const { dataDir } = this.#places
    return path === dataDir || path === realOf(dataDir)
  }

  #isOpen(real: string, own: readonly string[] | undefined): boolean {
    const data = realOf(this.#places.dataDir)
    return isForAgents(real, data) && (own?.some((each) => isWithin(real, each) && !isWithin(data, each)) ?? true)
  }

  /**
   * All closed paths for a sandbox of a user with this home directory, and the folders of sockets of that user. Leaves
   * out paths in other homes that do not exist.
   */
  paths(home: string): string[] {
    const { TMUX_TMPDIR: terminals = '/tmp', XDG_RUNTIME_DIR: runtime } = this.#places.env
    const own = withTargets([home])
    const others = credentialsIn(this.#homes().filter((each) => !own.includes(each))).filter(isThere)
    const sockets = [join(terminals, `tmux-${process.getuid?.()}`), ...(runtime === undefined ? [] : [runtime])]
    const shared = own.map((each) => join(each, PRIVATE_FOLDERS))
    return (
      withTargets([...this.#ofTheDaemon(), ...OF_THE_SYSTEM, ...sockets, ...shared, ...credentialsIn(own), ...others])
        // A sandbox has its own.
        .filter((path) => path !== '/proc')
    )
  }

  /** Those that contain `real`, or are below it. */
  #near(real: string): string[] {
    const homes = this.#homes().filter((home) => isWithin(real, home) || isWithin(home, real))
    const all = [...this.#ofTheDaemon(), ...OF_THE_SYSTEM, ...credentialsIn(homes)]
    return withTargets(all).filter((each) => isWithin(real, each) || isWithin(each, real))
  }

  #ofTheDaemon(): string[] {
    const { dataDir, keyFile, tokensFile, serviceTokenFile, configFile, databaseUrl } = this.#places
    const database = sqliteFile(databaseUrl)
    const files = database === null ? [] : ['', '-wal', '-shm', '-journal'].map((suffix) => database + suffix)
    return [dataDir, keyFile, tokensFile, serviceTokenFile, configFile, ...files]
  }

  /** Also those of other users: the daemon may run as root. */
  #homes(): string[] {
    return withTargets([this.#places.home, homedir(), ...homesOfPeople()])
  }
}

const OF_DATA = 'only the worktree of an agent and the checkout of its source are open in the data directory'
const OF_OTHERS = 'nothing opens it; copy what is needed to another directory'

export const pathClosed = (detail: string): Problem => unprocessable(detail, 'path-closed')

/** True if the file is hidden by a result of `hiddenIn`, or a launch file. */
export function isHidden(real: string, hidden: readonly string[]): boolean {
  return hidden.some((each) => isWithin(real, each)) || LAUNCH_FILE.test(basename(real))
}

const credentialsIn = (homes: readonly string[]): string[] =>
  homes.flatMap((home) => CREDENTIALS.map((each) => join(home, each)))

const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** The paths and, for links, their targets. */
const withTargets = (paths: readonly string[]): string[] => [...new Set(paths.flatMap((path) => [path, realOf(path)]))]

const LEAST_UID = 1000
const NOBODY = 65_534

function homesOfPeople(): string[] {
  try {
    const users = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
    return users.flatMap(([, , id, , , home]) => {
      const uid = Number(id)
      return home?.startsWith(sep) && (uid === 0 || (uid >= LEAST_UID && uid !== NOBODY)) ? [home] : []
    })
  } catch {
    return []
  }
}
