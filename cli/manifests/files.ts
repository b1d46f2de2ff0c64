// Reads manifests from the command line for sending to the daemon.
import { open, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { typed } from '../command-line.ts'
import { decode, type FileFault } from '../../controller/reading/yaml/text-decoding.ts'
import type { FileFingerprint } from '../../controller/reading/folder/file-fingerprint.ts'
import { scanAtOnce } from '../../controller/reading/folder/folder-scan.ts'
import { MOST_BYTES as MOST_FILE_BYTES } from '../../controller/reading/yaml/parse.ts'
import { fileAddress, isBareRepository } from '../../platform/git/bare-repository.ts'
import { Failure, misuse } from '../failure.ts'
import { standardInput, STDIN } from '../standard-input.ts'
import { namedFiles } from './named-files.ts'
import { config } from '../settings.ts'
import { APPLY_PREFIX } from '../../schemas/sync/applied-source.ts'

export interface ManifestSet {
  manifests: { path: string; content: string }[]
  /** Referenced files such as templates: the daemon does not read the caller's folder. */
  texts: { path: string; content: string }[]
  /** Referenced files that are missing. */
  absent: string[]
  root: string
  /** `apply:<absolute path>`. */
  source: string
  /** The caller's values of the `${VAR}` names in the files. */
  variables: Record<string, string>
}

/** Maximum bytes of all manifests; the daemon's limit of one request. */
const MOST_BYTES = 24 * 1024 * 1024

export interface FoundFiles {
  files: string[]
  root: string
  /** Files known to be unreadable before reading, by absolute path. */
  faults: ReadonlyMap<string, FileFault>
}

/** Finds the YAML files below a folder with the daemon's own rules, or returns the single file. */
export async function findManifests(path: string): Promise<FoundFiles> {
  const absolute = resolve(path)
  const found = await stat(absolute).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(path, error)
  })
  if (!found.isDirectory()) return { files: [absolute], root: rootOf(absolute), faults: new Map() }
  const seen = filesBelow(absolute)
  if (seen.length === 0 && isBareRepository(absolute))
    throw new Failure(`${path} is a git repository without a checkout`, {
      hint: `clone it, and pass a folder of the clone; a daemon follows it with: ${typed`svc serve --manifests ${fileAddress(absolute)}`}`,
      exit: 'invalid',
    })
  if (seen.length === 0)
    throw new Failure(`no manifest in ${path}`, {
      hint: 'use a folder with .yml or .yaml files, or one such file',
      exit: 'invalid',
    })
  const faults = seen.flatMap(({ path: below, fault }) => (fault ? [[join(absolute, below), fault] as const] : []))
  return { files: seen.map(({ path: below }) => join(absolute, below)), root: absolute, faults: new Map(faults) }
}

/** Returns standard input as a file. */
export async function manifestInput(): Promise<{ path: string; content: string }> {
  const content = await standardInput()
  if (content.trim() === '')
    throw misuse('standard input contains no manifest', `pipe one in: cat team.yml | ${typed`svc apply -f -`}`)
  return { path: 'stdin.yml', content }
}

/** `-` is standard input. Throws a Failure if a manifest cannot be read. */
export async function readManifestSet(path: string): Promise<ManifestSet> {
  if (path === STDIN)
    return sentFrom([await manifestInput()], { root: process.cwd(), source: `${APPLY_PREFIX}${STDIN}` })
  const { files, root, faults } = await findManifests(path)
  const sizes = await Promise.all(files.map(async (file) => (await stat(file).catch(() => null))?.size ?? 0))
  const bytes = sizes.reduce((total, size) => total + Math.min(size, MOST_FILE_BYTES), 0)
  if (bytes > MOST_BYTES)
    throw new Failure(`the manifests of ${path} exceed the ${MOST_BYTES} bytes of one request`, {
      hint: `make the folder a source of the daemon: ${typed`svc serve --manifests DIR`}`,
      exit: 'invalid',
    })
  const manifests: ManifestSet['manifests'] = []
  for (const file of files)
    manifests.push({ path: relative(root, file).split(sep).join('/'), content: await readText(file, faults.get(file)) })
  return sentFrom(manifests, { root, source: `${APPLY_PREFIX}${resolve(path)}` })
}

/** Adds the referenced files and variables of the caller. */
export function sentFrom(
  manifests: ManifestSet['manifests'],
  { root, source }: Pick<ManifestSet, 'root' | 'source'>,
): ManifestSet {
  const { texts, unreadable: absent } = namedFiles(manifests, root)
  return { manifests, texts, absent, root, source, variables: variablesOf(manifests) }
}

/** Reads at most one byte more than the limit, enough to detect a file that is too large. */
export async function readBounded(path: string): Promise<Uint8Array> {
  // Opening a pipe without a writer would block forever.
  if (!(await stat(path)).isFile()) throw new Error('it is not a regular file')
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(Math.min((await file.stat()).size, MOST_FILE_BYTES) + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      ({ bytesRead: read } = await file.read(buffer, length, buffer.length - length))
    return buffer.subarray(0, length)
  } finally {
    await file.close()
  }
}

/** Keeps the folder of a single `agents/planner.yml`, because it gives the kind. */
function rootOf(file: string): string {
  const folder = dirname(file)
  return /^(agents|workflows|rooms|repositories|policies)$/.test(basename(folder)) ? dirname(folder) : folder
}

function filesBelow(folder: string): FileFingerprint[] {
  try {
    return scanAtOnce(folder).files
  } catch (error) {
    throw unreadable(folder, error as NodeJS.ErrnoException)
  }
}

/** Invalid UTF-8 is refused, not replaced. */
async function readText(file: string, fault: FileFault | undefined): Promise<string> {
  if (fault) throw faulty(file, fault)
  const bytes = await readBounded(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error)
  })
  const decoded = decode(bytes)
  if ('fault' in decoded) throw faulty(file, decoded.fault)
  return decoded.text
}

function faulty(file: string, { message, hint, code, at = { line: 1, column: 1 } }: FileFault): Failure {
  return new Failure(message, { where: `${file}:${at.line}:${at.column}, ${code}`, hint, exit: 'invalid' })
}

function unreadable(path: string, error: NodeJS.ErrnoException): Failure {
  const why =
    error.code === 'ENOENT'
      ? 'does not exist'
      : error.code === 'EACCES'
        ? 'cannot be read: permission denied'
        : error.message
  return new Failure(`${path} ${why}`, {
    hint: 'use a readable file or folder of manifests',
    exit: 'invalid',
    cause: error,
  })
}

function variablesOf(manifests: readonly { content: string }[]): Record<string, string> {
  const names = new Set(
    manifests.flatMap(({ content }) =>
      [...content.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}/g)].map((match) => match[1]!),
    ),
  )
  const { env } = config()
  // An empty variable is a value.
  return Object.fromEntries([...names].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
