// A home directory with secrets, a project and a data directory, all of one user.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hostFacts } from '../../../platform/sandbox/facts.ts'
import { gitEnvironment, gitPaths } from '../../../platform/sandbox/git.ts'
import type { LaunchSandbox } from '../../../schemas/sandbox/sandbox.ts'
import { enclosedCommand, runEnclosed, sandboxOf, type Enclosure, type Outcome } from './enclosure.ts'

const FILES: Record<string, string> = {
  'home/.gitconfig': '[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n',
  'home/.ssh/id': 'the-secret of ssh',
  'home/.netrc': 'the-secret of the network',
  'home/data/key': 'the-secret of the daemon',
  'home/data/checkouts/default/a.txt': 'a',
  'home/work/manifests/agents/a.yml': 'name: a',
  'home/work/src/deep/word': 'the-secret of the project',
  'home/work/src/main.ts': 'export {}',
  'home/work/other/b': 'b',
  'home/outside/c': 'c',
}

export class World {
  readonly home: string
  readonly work: string
  readonly data: string
  readonly own: string
  readonly #scratch: string
  readonly #uid: number | undefined

  constructor(top: string, uid?: number) {
    this.home = join(top, 'home')
    this.work = join(this.home, 'work')
    this.data = join(this.home, 'data')
    this.own = join(this.data, 'worktrees', 'one')
    this.#scratch = join(top, 'scratch')
    this.#uid = uid
    mkdirSync(this.#scratch)
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(top, name)), { recursive: true })
      writeFileSync(join(top, name), text)
    }
    const checkout = join(this.data, 'checkouts', 'default')
    for (const folder of [this.work, checkout]) {
      this.#git(folder, 'init', '-q')
      this.#git(folder, 'add', '.')
      this.#git(folder, 'commit', '-qm', 'first')
    }
    for (const name of ['one', 'two'])
      this.#git(checkout, 'worktree', 'add', '-q', '-b', name, join(this.data, 'worktrees', name))
    if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${uid}`, top])
  }

  get closed(): string[] {
    const names = ['.ssh', '.netrc', '.aws', 'data']
    return [...names.map((name) => join(this.home, name)), '/etc/shadow', '/proc', join(this.work, 'missing-key')]
  }

  /** In the main checkout. */
  run(script: string, members: Partial<LaunchSandbox> = {}, more: Partial<Enclosure> = {}): Outcome {
    return runEnclosed(script, this.#inMain(members, more))
  }

  /** Command of `run`. */
  command(script: string, more: Partial<Enclosure> = {}): [string, ...string[]] {
    return enclosedCommand(script, this.#inMain({}, more))
  }

  #inMain(members: Partial<LaunchSandbox>, more: Partial<Enclosure>): Enclosure {
    const { readonly } = gitPaths(this.work, hostFacts, this.home)
    const manifests = [join(this.work, 'manifests'), join(this.work, 'missing.yaml')]
    const defaults = { write: [this.work], closed: this.closed, readonly: [...readonly, ...manifests] }
    return this.#enclosure({ ...defaults, ...members }, { directory: this.work, ...more })
  }

  /** In the linked worktree, which is in the data directory. */
  runLinked(script: string, more: Partial<Enclosure> = {}): Outcome {
    const { write, readonly } = gitPaths(this.own, hostFacts, this.home)
    const members = { write: [this.own, ...write], readonly, closed: this.closed }
    return runEnclosed(script, this.#enclosure(members, { directory: this.own, env: gitEnvironment({}), ...more }))
  }

  /** In the checkout of a source, which is in the data directory. */
  runInCheckout(script: string): Outcome {
    const directory = join(this.data, 'checkouts', 'default')
    return runEnclosed(script, this.#enclosure({ write: [directory], closed: this.closed }, { directory }))
  }

  /** Of all files with their modes and contents. */
  digest(): string {
    const hash = createHash('sha256')
    for (const name of readdirSync(this.home, { recursive: true, encoding: 'utf8' }).sort()) {
      const path = join(this.home, name)
      const stat = lstatSync(path)
      hash.update(`${name} ${stat.mode} ${stat.uid} ${stat.nlink}\n`)
      if (stat.isFile()) hash.update(readFileSync(path))
      if (stat.isSymbolicLink()) hash.update(readlinkSync(path))
    }
    return hash.digest('hex')
  }

  #enclosure(members: Partial<LaunchSandbox>, more: Partial<Enclosure> & { directory: string }): Enclosure {
    const sandbox = sandboxOf(members, this.#scratch)
    const uid = this.#uid === undefined ? {} : { uid: this.#uid }
    return { sandbox, home: this.home, scratch: this.#scratch, ...uid, ...more }
  }

  #git(folder: string, ...args: string[]): void {
    execFileSync('git', args, { cwd: folder, env: { PATH: process.env.PATH, HOME: this.home }, stdio: 'pipe' })
  }
}
