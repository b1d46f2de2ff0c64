// Stores paid-for vectors until their generation is committed, so that a crash does not repeat requests.
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelId } from '../store/port.ts'
import { hashOf } from '../text/hash.ts'

const HASH = 32

export class VectorJournal {
  readonly #path: string
  readonly #known = new Map<string, Float32Array>()

  /** Loads the vectors of an interrupted run with the same model. */
  constructor(folder: string, root: string, model: ModelId) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#path = join(folder, `${hashOf(root)}.journal`)
    const head = `${JSON.stringify(model)}\n`
    if (!this.#read(head, model.dim)) writeFileSync(this.#path, head, { mode: 0o600 })
  }

  find(hash: string): Float32Array | undefined {
    return this.#known.get(hash)
  }

  add(vectors: readonly (readonly [hash: string, vector: Float32Array])[]): void {
    const parts = vectors.flatMap(([hash, vector]) => [
      Buffer.from(hash, 'latin1'),
      Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
    ])
    appendFileSync(this.#path, Buffer.concat(parts))
  }

  end(): void {
    rmSync(this.#path, { force: true })
  }

  /** False for a journal of another model. Truncates an incomplete last record. */
  #read(head: string, dim: number): boolean {
    let bytes: Buffer
    try {
      bytes = readFileSync(this.#path)
    } catch {
      return false
    }
    if (bytes.subarray(0, head.length).toString('utf8') !== head) return false
    const record = HASH + dim * 4
    let at = head.length
    for (; at + record <= bytes.length; at += record) {
      const numbers = new Uint8Array(bytes.subarray(at + HASH, at + record))
      this.#known.set(bytes.subarray(at, at + HASH).toString('latin1'), new Float32Array(numbers.buffer))
    }
    if (at < bytes.length) writeFileSync(this.#path, bytes.subarray(0, at))
    return true
  }
}
