// The manifests a person names on the command line, as the daemon wants them sent.
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { Failure } from './failure.ts'
import { variable } from './settings.ts'

export interface ManifestSet {
  /** Paths are relative to `root`. */
  manifests: { path: string; content: string }[]
  /** Absolute folder that relative paths start at. */
  root: string
  /** `apply:<absolute path>`. */
  source: string
  /** The caller's values of the `${VAR}` names in the files. */
  variables: Record<string, string>
}

/** Bytes of all manifests together; the daemon takes no more in one request. */
const MOST_BYTES = 24 * 1024 * 1024
const YAML = /\.ya?ml$/i

export interface FoundFiles {
  /** Absolute paths, in order. */
  files: string[]
  /** Absolute folder that relative paths start at. */
  root: string
}

/** The YAML files of a folder and all below it (hidden entries and node_modules left out), or the one file. */
export async function findManifests(path: string): Promise<FoundFiles> {
  const absolute = resolve(path)
  const found = await stat(absolute).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(path, error)
  })
  const files = found.isDirectory() ? await yamlFiles(absolute) : [absolute]
  if (files.length === 0) throw new Failure(`no manifest in ${path}`, { hint: 'name a folder with .yml or .yaml files, or such a file', exit: 'invalid' })
  return { files, root: found.isDirectory() ? absolute : rootOf(absolute) }
}

/** Reads the manifests of a path, ready to be sent. Throws a Failure when any of them cannot be read. */
export async function readManifestSet(path: string): Promise<ManifestSet> {
  const { files, root } = await findManifests(path)
  const sizes = await Promise.all(files.map(async (file) => (await stat(file).catch(() => null))?.size ?? 0))
  const bytes = sizes.reduce((total, size) => total + size, 0)
  if (bytes > MOST_BYTES)
    throw new Failure(`the manifests of ${path} are ${bytes} bytes, more than the ${MOST_BYTES} of one request`, {
      hint: 'make the folder a source of the daemon: svc serve --manifests DIR',
      exit: 'invalid',
    })
  const manifests = await Promise.all(files.map(async (file) => ({ path: relative(root, file).split(sep).join('/'), content: await readText(file) })))
  return { manifests, root, source: `apply:${resolve(path)}`, variables: variablesOf(manifests) }
}

/** The folder's name gives a kind, so a single `agents/planner.yml` keeps its folder. */
function rootOf(file: string): string {
  const folder = dirname(file)
  return /^(agents|workflows|rooms|repositories|policies)$/.test(basename(folder)) ? dirname(folder) : folder
}

async function yamlFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(folder, error)
  })
  const files: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) files.push(...(await yamlFiles(path)))
    else if (YAML.test(entry.name)) files.push(path)
  }
  return files
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error)
  })
}

function unreadable(path: string, error: NodeJS.ErrnoException): Failure {
  const why = error.code === 'ENOENT' ? 'does not exist' : error.code === 'EACCES' ? 'may not be read by you' : error.message
  return new Failure(`${path} ${why}`, { hint: 'name a file or folder of manifests that can be read', exit: 'invalid', cause: error })
}

function variablesOf(manifests: readonly { content: string }[]): Record<string, string> {
  const names = new Set(manifests.flatMap(({ content }) => [...content.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}/g)].map((match) => match[1]!)))
  return Object.fromEntries([...names].flatMap((name) => (variable(name) === undefined ? [] : [[name, variable(name)!]])))
}
