// Texts that manifests name, such as prompt templates; read again only when their file has changed.
import { readFileSync, statSync, type Stats } from 'node:fs'
import { decode } from './yaml/decode.ts'
import { MOST_BYTES } from './yaml/parse.ts'

export class TextFiles {
  readonly #known = new Map<string, { stamp: string; text: string | null; changedAt: number }>()

  /** Null when it is no readable UTF-8 file of at most 1 MiB. */
  read(path: string): string | null {
    const stats = statOrNull(path)
    if (!stats?.isFile() || stats.size > MOST_BYTES) {
      this.#known.delete(path)
      return null
    }
    const stamp = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`
    const known = this.#known.get(path)
    if (known?.stamp === stamp) return known.text
    const text = readOrNull(path)
    this.#known.set(path, { stamp, text, changedAt: stats.ctimeMs })
    return text
  }

  /** When the file last changed, in milliseconds since 1970; 0 for one that was not read. */
  changedAt(path: string): number {
    return this.#known.get(path)?.changedAt ?? 0
  }
}

/** Null for what is not there, and for what cannot be asked about. */
export function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

function readOrNull(path: string): string | null {
  try {
    const decoded = decode(readFileSync(path))
    return 'text' in decoded ? decoded.text : null
  } catch {
    return null
  }
}
