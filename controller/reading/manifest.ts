// Reads manifests of `POST /plan` and `svc validate`.
import { resolve } from 'node:path'
import { atOnce, type Pieces } from '../../platform/async/time-slices.ts'
import { Assembler } from './assembler.ts'
import { decode } from './yaml/text-decoding.ts'
import type { DesiredState, ReadContext, KnownKinds } from './desired-state.ts'
import { brokenFile, readFile, type ManifestFile } from './document.ts'
import { contentDigest } from './revision.ts'
import { CAREFUL, readSourceFile, SOURCE_FILE, type SourceRules } from './rules/source-file.ts'
import { Environment, type Answered, type Overlay } from './environment.ts'
import { FolderKinds } from './folder-kinds.ts'
import { TextFiles } from './text-files.ts'

export interface ReadOptions extends KnownKinds {
  /** Absolute; contains `svc.yaml` and is the base of relative paths. */
  root: string
  home: string
  context: ReadContext
  /** Treat warnings as errors. */
  strict?: boolean
  overlay?: Overlay
  /** Folder of texts that the overlay lacks; null: none. Default the root, or the parent of a kind folder. */
  tree?: string | null
  onAnswer?: (answered: Answered) => void
}

export interface SentFile {
  path: string
  content: string | Uint8Array
}

/** Synchronous. Does not throw for content: errors become diagnostics. */
export const readManifests = (files: readonly SentFile[], options: ReadOptions): DesiredState =>
  atOnce(readManifestsInPieces(files, options))

export function* readManifestsInPieces(files: readonly SentFile[], options: ReadOptions): Pieces<DesiredState> {
  const root = resolve(options.root)
  const assembler = new Assembler(options, options.strict ?? false)
  const folders = new FolderKinds(root, options)
  const read: ManifestFile[] = []
  const digests: { path: string; digest: string }[] = []
  let rules: SourceRules = { sync: {}, diagnostics: [] }
  for (const { path, content } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    digests.push({ path, digest: contentDigest(content) })
    yield
    const result = yield* takeFile({ path, content, assembler, folders })
    if ('sync' in result) rules = result
    else read.push(result)
  }
  return yield* assembler.assemble({
    files: read,
    digests,
    sync: rules.sync ?? CAREFUL,
    diagnostics: rules.diagnostics,
    environment: new Environment({
      ...options,
      root,
      tree: options.tree === undefined ? folders.tree : options.tree,
      texts: new TextFiles(),
    }),
  })
}

export interface TakenFile extends SentFile {
  assembler: Assembler
  folders: FolderKinds
}

export function* takeFile({ path, content, assembler, folders }: TakenFile): Pieces<ManifestFile | SourceRules> {
  const decoded = decode(content)
  if (path === SOURCE_FILE)
    return 'fault' in decoded
      ? { sync: null, diagnostics: brokenFile(path, null, decoded.fault).diagnostics }
      : readSourceFile(decoded.text, assembler.locator, assembler.known)
  const folderKind = folders.kindOf(path)
  return 'fault' in decoded
    ? brokenFile(path, folderKind, decoded.fault)
    : yield* readFile(path, decoded.text, folderKind, assembler.known, assembler.locator)
}
