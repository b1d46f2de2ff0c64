import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { DesiredState, ManifestReader, ReadContext } from '../../../controller/reading/desired-state.ts'
import { DirectorySource, type DirectoryOptions } from '../../../controller/reading/folder/directory-source.ts'
import { readManifests, type ReadOptions } from '../../../controller/reading/manifest.ts'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import { kinds } from '../../../schemas/kinds.ts'

export const emptyContext: ReadContext = { exists: () => false, variable: () => undefined }
export const known = {
  kinds,
  home: '/home/mira',
}

/** Creates a folder that is removed when the test ends. */
export function folder(files: Record<string, string | Uint8Array> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-manifests-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) put(root, path, content)
  return root
}

export function put(root: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

/** Reads manifests from memory; `root` defaults to `/`. */
export function read(files: Record<string, string | Uint8Array>, options: Partial<ReadOptions> = {}): DesiredState {
  return readManifests(
    Object.entries(files).map(([path, content]) => ({ path, content })),
    { ...known, root: '/', context: emptyContext, ...options },
  )
}

/** `file:line:column code` of each. */
export function places(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)
}

export function names(state: DesiredState): string[] {
  return state.resources.map(({ kind, name }) => `${kind}/${name}`)
}

export const policy = (name: string, description = 'x'): string =>
  `name: ${name}\nmode: allow_all\ndescription: ${description}\n`

/** A reader with a short settle time. */
export function reader(root: string, options: Partial<DirectoryOptions> = {}): ManifestReader {
  return new DirectorySource({ ...known, root, settleMs: 60, ...options })
}

/** Descriptions by name. */
export const described = (state: DesiredState): Record<string, string> =>
  Object.fromEntries(state.resources.map(({ name, spec }) => [name, spec.description]))

/** Counts wakes until the test ends. */
export function wakes(source: ManifestReader): () => number {
  let count = 0
  const stop = source.watch(() => count++)
  onTestFinished(stop)
  return () => count
}
