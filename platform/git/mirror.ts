// Partial mirror of a remote repository: only requested commits and files. Agents cannot reach it.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { removeStaleFiles } from './stale-locks.ts'
import { gitOutward, type AskedGit, type Bytes, type Outward } from './remote-git.ts'
import { chosen, listedIn, objectFormat, patternsOf, shownRef, type WantedRef } from './refs.ts'

export class RemoteError extends Error {
  override readonly name = 'RemoteError'
}

export interface TreeLine {
  /** 100644 and 100755 files, 120000 links, 160000 submodules. */
  mode: string
  oid: string
  path: Buffer
}

export type Blob = Buffer | 'too-large'

const FETCH_MS = 600_000
const FETCH = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--recurse-submodules=no']
/** Size limit of one fetch: files of maximum size, plus KiB for the pack. */
const [FULL_FILES, ROOM_OF_A_PACK] = [16, 64]
/** Fetches between garbage collections. */
const TIDIED_EVERY = 20
/** Bytes of objects read per batch. */
const MOST_AT_ONCE = 64 * 1024 * 1024
const REFS = 'refs/svc/'

export interface MirrorOptions extends Outward {
  /** Created on the first fetch. */
  folder: string
}

export class Mirror {
  readonly #options: MirrorOptions
  readonly #tooLarge = new Set<string>()
  #clearing: Promise<void> | null = null
  #prepared: string | null = null
  #fetched = 0
  /** Set if the server cannot serve single files. */
  #takesWhole = false

  constructor(options: MirrorOptions) {
    this.#options = options
  }

  /** Resolves a reference without fetching. Throws RemoteError. */
  async resolve(ref: WantedRef, signal?: AbortSignal): Promise<string> {
    if (ref.commit !== undefined) return ref.commit
    const { url } = this.#options
    const asked = ['ls-remote', '--quiet', '--', url, ...patternsOf(ref)]
    const { stdout, why, failed } = await gitOutward(this.#options, asked, { signal })
    if (failed) throw new RemoteError(`${url} cannot be queried: ${why}`)
    const commit = chosen(ref, listedIn(stdout.toString('utf8')))
    if (commit === null) throw new RemoteError(`${url} has no ${shownRef(ref)}`)
    return commit
  }

  /** Fetches a commit without its files. Throws RemoteError. */
  async fetch(commit: string, signal?: AbortSignal): Promise<void> {
    await this.#prepare(commit)
    if (await this.has(commit)) return
    const { url } = this.#options
    await this.#fetchCommit(commit, [this.#takesWhole ? '--no-filter' : '--filter=blob:none'], signal)
    if (!(await this.has(commit))) throw new RemoteError(`${commit} of ${url} is not a commit`)
    if (++this.#fetched % TIDIED_EVERY === 0)
      await this.git(['-c', 'gc.auto=6700', '-c', 'gc.autoPackLimit=50', 'gc', '--auto', '--quiet', '--prune=now'])
  }

  async #fetchCommit(commit: string, how: readonly string[], signal?: AbortSignal): Promise<void> {
    const asked = { signal, patienceMs: FETCH_MS }
    const { failed, why } = await this.outward([...FETCH, '--depth=1', ...how, 'origin', commit], asked)
    if (failed) throw new RemoteError(`commit ${commit} cannot be fetched from ${this.#options.url}: ${why}`)
  }

  async has(commit: string): Promise<boolean> {
    if (!existsSync(join(this.#options.folder, 'objects'))) return false
    return (await this.#kind(commit)) === 'commit'
  }

  /** Returns the tree id of a folder; null if there is no such folder. */
  async tree(commit: string, path: string): Promise<string | null> {
    const { stdout, failed } = await this.git(['rev-parse', '--verify', '--quiet', `${commit}:${path}`])
    const oid = stdout.toString('utf8').trim()
    if (failed || oid === '') return null
    return (await this.#kind(oid)) === 'tree' ? oid : null
  }

  async #kind(oid: string): Promise<string> {
    return (await this.git(['cat-file', '-t', oid])).stdout.toString('utf8').trim()
  }

  /** Throws RemoteError, or a RangeError for too many files. */
  async files(tree: string): Promise<TreeLine[]> {
    return linesOf(await this.#read(['ls-tree', '-r', '-z', tree]))
  }

  /** Throws RemoteError, or a RangeError for too many folders. */
  async folders(commit: string): Promise<string[]> {
    const lines = linesOf(await this.#read(['ls-tree', '-r', '-d', '-z', commit]))
    return lines.filter(({ mode }) => mode === '040000').map(({ path }) => path.toString('utf8'))
  }

  /** Fetches missing files in one request; files above `most` bytes are only noted as too large. Throws RemoteError. */
  async need({ commit, tree }: { commit: string; tree: string }, oids: readonly string[], most: number): Promise<void> {
    const asked = new Set(oids.filter((oid) => !this.#tooLarge.has(oid)))
    if (asked.size === 0) return
    const listed = await this.#read(['rev-list', '--objects', '--missing=print', tree])
    const missing = listed
      .toString('latin1')
      .split('\n')
      .flatMap((line) => (line.startsWith('?') && asked.has(line.slice(1)) ? [line.slice(1)] : []))
    if (missing.length > 0) await this.#bring(missing, commit, most)
  }

  /** Splits a request that exceeds the size limit. */
  async #bring(oids: readonly string[], commit: string, most: number): Promise<void> {
    const mostFileBytes = (Math.min(oids.length, FULL_FILES) * Math.ceil(most / 1024) + ROOM_OF_A_PACK) * 1024
    const { failed, why, reason } = await this.outward([...FETCH, '--filter=blob:none', '--stdin', 'origin'], {
      input: `${oids.join('\n')}\n`,
      patienceMs: FETCH_MS,
      mostFileBytes,
    })
    if (!failed) return
    if (reason === 'tips-only') {
      this.#takesWhole = true
      return this.#fetchCommit(commit, ['--refetch', '--no-filter'])
    }
    if (reason !== 'too-large')
      throw new RemoteError(`${oids.length} files cannot be fetched from ${this.#options.url}: ${why}`)
    await this.#sweep(mostFileBytes)
    const half = Math.ceil(oids.length / 2)
    if (oids.length === 1) this.#tooLarge.add(oids[0]!)
    else for (const part of [oids.slice(0, half), oids.slice(half)]) await this.#bring(part, commit, most)
  }

  /** Removes packs that the size limit cut off: they have exactly this size. */
  async #sweep(bytes: number): Promise<void> {
    const folder = join(this.#options.folder, 'objects', 'pack')
    for (const name of await readdir(folder).catch(() => []))
      if (name.startsWith('tmp_') && (await stat(join(folder, name)).catch(() => null))?.size === bytes)
        await rm(join(folder, name), { force: true })
  }

  /** Reads contents by object id; `too-large` above `most` bytes. Throws RemoteError. */
  async blobs(oids: readonly string[], most: number): Promise<Map<string, Blob>> {
    const found = new Map<string, Blob>(oids.flatMap((oid) => (this.#tooLarge.has(oid) ? [[oid, 'too-large']] : [])))
    const here = oids.filter((oid) => !found.has(oid))
    if (here.length === 0) return found
    const sizes = await this.#read(['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'], here)
    let [batch, bytes]: [string[], number] = [[], 0]
    const take = async () => {
      for (const [oid, content] of contentsOf(await this.#read(['cat-file', '--batch'], batch))) found.set(oid, content)
      ;[batch, bytes] = [[], 0]
    }
    for (const line of sizes.toString('latin1').trim().split('\n')) {
      const [oid = '', kind, size] = line.split(' ')
      if (kind !== 'blob') throw new RemoteError(`file ${oid} is not in ${this.#options.folder}`)
      if (Number(size) > most) found.set(oid, 'too-large')
      else {
        batch.push(oid)
        bytes += Number(size)
      }
      if (bytes > MOST_AT_ONCE) await take()
    }
    if (batch.length > 0) await take()
    return found
  }

  async kept(name: string): Promise<string | null> {
    await this.#clear()
    if (!existsSync(join(this.#options.folder, 'objects'))) return null
    const { stdout, failed } = await this.git(['rev-parse', '--verify', '--quiet', `${REFS}${name}`])
    return failed ? null : stdout.toString('utf8').trim()
  }

  /** Protects a commit from garbage collection until `name` refers to another one. */
  async keep(name: string, commit: string): Promise<void> {
    const { failed, why } = await this.git(['update-ref', `${REFS}${name}`, commit])
    if (failed) throw new RemoteError(`commit ${commit} cannot be kept in ${this.#options.folder}: ${why}`)
  }

  /** Succeeds if there is no such name. */
  async drop(name: string): Promise<void> {
    await this.git(['update-ref', '-d', `${REFS}${name}`])
  }

  /** Runs git, fetching missing objects. */
  outward(args: readonly string[], asked: AskedGit = {}): Promise<Bytes> {
    return gitOutward(this.#options, [`--git-dir=${this.#options.folder}`, ...args], asked)
  }

  async #read(args: readonly string[], lines: readonly string[] = []): Promise<Buffer> {
    const asked = { input: lines.map((line) => `${line}\n`).join(''), patienceMs: FETCH_MS }
    const { stdout, why, failed, reason } = await this.git(args, asked)
    if (reason === 'too-large') throw new RangeError('too many files and folders to list')
    if (failed) throw new RemoteError(`${this.#options.folder} cannot be read: ${why}`)
    return stdout
  }

  /** Runs git on local objects only. */
  git(args: readonly string[], asked: AskedGit = {}): Promise<Bytes> {
    const variables = { ...asked.variables, GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' }
    return this.outward(args, { ...asked, variables })
  }

  /** Stale locks of a killed daemon would block git permanently. */
  #clear(): Promise<void> {
    return (this.#clearing ??= removeStaleFiles(this.#options.folder))
  }

  async #prepare(commit: string): Promise<void> {
    await this.#clear()
    const { folder, url } = this.#options
    const format = objectFormat(commit)
    const exists = () => existsSync(join(folder, 'objects'))
    if (this.#prepared === format && exists()) return
    if (exists()) await this.#removeOther(format, commit)
    if (!exists()) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const init = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--', folder]
      const made = await gitOutward(this.#options, init)
      if (made.failed) throw new RemoteError(`${folder} cannot be created: ${made.why}`)
    }
    for (const [key, value] of [
      ['remote.origin.url', url],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.partialclonefilter', 'blob:none'],
    ] as const)
      await this.git(['config', '--replace-all', key, value])
    this.#prepared = format
  }

  /** Removes a mirror of another object format. Throws RemoteError if commits are kept in it. */
  async #removeOther(format: string, commit: string): Promise<void> {
    const { folder, url } = this.#options
    const present = (await this.#read(['rev-parse', '--show-object-format'])).toString('utf8').trim()
    if (present === format) return
    if ((await this.#read(['for-each-ref', '--count=1', REFS])).length > 0)
      throw new RemoteError(
        `commit ${commit} of ${url} is in ${format} format, and its mirror ${folder} in ${present}: check the digits of ref; if the repository was created again in ${format}, give the source another name`,
      )
    await rm(folder, { recursive: true, force: true })
  }
}

/** Parses `<mode> <type> <oid>\t<path>\0`. */
function linesOf(output: Buffer): TreeLine[] {
  const lines: TreeLine[] = []
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0, at)
    const tab = output.indexOf(9, at)
    const [mode = '', , oid = ''] = output.toString('latin1', at, tab).split(' ')
    lines.push({ mode, oid, path: Buffer.from(output.subarray(tab + 1, end)) })
    at = end + 1
  }
  return lines
}

/** Parses `<oid> blob <size>\n<content>\n`. */
function* contentsOf(output: Buffer): Iterable<[string, Buffer]> {
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at)
    const [oid = '', , size] = output.toString('latin1', at, end).split(' ')
    const from = end + 1
    yield [oid, Buffer.from(output.subarray(from, from + Number(size)))]
    at = from + Number(size) + 1
  }
}
