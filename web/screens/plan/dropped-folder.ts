/** A file of a dropped folder. */
export interface DroppedFile {
  /** Relative to the folder, with slashes. */
  path: string
  content: string
}

export interface DroppedFolder {
  name: string
  files: readonly DroppedFile[]
  /** Files that were left out: binary or too large. */
  skipped: number
}

/** The part of a File that is read. */
export interface ReadableFile {
  size: number
  text(): Promise<string>
}

/** Limits below those of the request. */
const MOST_FILES = 5000
const MOST_BYTES = 1024 * 1024

/** Folders that hold no manifests. */
const isHidden = (path: string) => path.split('/').some((part) => part.startsWith('.') || part === 'node_modules')

/**
 * Reads the files of a folder. `paths` begin with the name of the folder. Leaves out hidden, binary and large files, and
 * those above the limit of their number.
 */
export async function readFolder(
  files: readonly (readonly [path: string, file: ReadableFile])[],
): Promise<DroppedFolder> {
  const name = files[0]?.[0].split('/')[0] ?? ''
  const shown = files.map(([path, file]) => [path.split('/').slice(1).join('/'), file] as const)
  const wanted = shown.filter(([path]) => path !== '' && !isHidden(path)).sort(([a], [b]) => (a < b ? -1 : 1))
  const read: DroppedFile[] = []
  for (const [path, file] of wanted.slice(0, MOST_FILES)) {
    const content = file.size > MOST_BYTES ? '\0' : await file.text()
    if (!content.includes('\0')) read.push({ path, content })
  }
  return { name, files: read, skipped: wanted.length - read.length }
}

interface Entry {
  isFile: boolean
  fullPath: string
  file?(done: (file: ReadableFile) => void, failed: (error: unknown) => void): void
  createReader?(): { readEntries(done: (entries: Entry[]) => void, failed: (error: unknown) => void): void }
}

/** All files below an entry of a drop, as paths without a leading slash. */
export async function filesBelow(entry: Entry): Promise<(readonly [path: string, file: ReadableFile])[]> {
  if (entry.isFile)
    return [[entry.fullPath.slice(1), await new Promise<ReadableFile>((done, failed) => entry.file!(done, failed))]]
  const reader = entry.createReader!()
  const found: (readonly [string, ReadableFile])[] = []
  // A reader returns at most 100 entries at a time.
  for (;;) {
    const entries = await new Promise<Entry[]>((done, failed) => reader.readEntries(done, failed))
    if (entries.length === 0 || found.length > MOST_FILES) return found
    for (const each of entries) found.push(...(await filesBelow(each)))
  }
}
