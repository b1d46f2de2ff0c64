// Aho-Corasick automaton: finds many words in one pass.
import type { Form } from './secret-forms.ts'

const ROOT = 0
const TABLE = 256

/** Most nodes have one child: the first is stored in arrays, others in maps. */
export class Trie {
  readonly #first = new Map<number, number>()
  readonly #rootTable = new Int32Array(TABLE)
  readonly #code: number[] = [0]
  readonly #child: number[] = [ROOT]
  readonly #more: (Map<number, number> | undefined)[] = [undefined]
  readonly #fail: number[] = [ROOT]
  readonly #depth: number[] = [0]
  /** The form that ends at a node, and the next shorter node with one. */
  readonly #form: (Form | undefined)[] = [undefined]
  readonly #shorter: number[] = [ROOT]

  constructor(forms: readonly Form[]) {
    for (const form of forms) if (form.text !== '') this.#add(form)
    this.#link()
  }

  get empty(): boolean {
    return this.#code.length === 1
  }

  /** Calls `onEnd` with the node and the number of characters read, wherever a form ends. Returns the last node. */
  scan(text: string, visible: Int32Array | null, onEnd: (node: number, count: number) => void): number {
    const table = this.#rootTable
    const length = visible === null ? text.length : visible.length
    let node = ROOT
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(visible === null ? index : visible[index]!)
      if (node === ROOT && code < TABLE) {
        node = table[code]!
        if (node === ROOT) continue
      } else node = this.next(node, code)
      if (this.#form[node] !== undefined || this.#shorter[node] !== ROOT) onEnd(node, index + 1)
    }
    return node
  }

  next(node: number, code: number): number {
    for (let at = node; at !== ROOT; at = this.#fail[at]!) {
      const child = this.#step(at, code)
      if (child !== ROOT) return child
    }
    return this.#step(ROOT, code)
  }

  /** Longest first. */
  *formsAt(node: number): Iterable<Form> {
    for (let at = this.#form[node] ? node : this.#shorter[node]!; at !== ROOT; at = this.#shorter[at]!)
      yield this.#form[at]!
  }

  depthOf(node: number): number {
    return this.#depth[node]!
  }

  #step(node: number, code: number): number {
    if (node === ROOT) return code < TABLE ? this.#rootTable[code]! : (this.#first.get(code) ?? ROOT)
    if (this.#code[node] === code && this.#child[node] !== ROOT) return this.#child[node]!
    return this.#more[node]?.get(code) ?? ROOT
  }

  #add(form: Form): void {
    let node = ROOT
    for (let at = 0; at < form.text.length; at++) {
      const code = form.text.charCodeAt(at)
      node = this.#step(node, code) || this.#grow(node, code)
    }
    this.#form[node] = this.#form[node]?.asWord === false ? this.#form[node] : form
  }

  #grow(parent: number, code: number): number {
    const node = this.#code.length
    this.#code.push(0)
    this.#child.push(ROOT)
    this.#more.push(undefined)
    this.#fail.push(ROOT)
    this.#form.push(undefined)
    this.#shorter.push(ROOT)
    this.#depth.push(this.#depth[parent]! + 1)
    if (parent === ROOT) {
      this.#first.set(code, node)
      if (code < TABLE) this.#rootTable[code] = node
    } else if (this.#child[parent] === ROOT) {
      this.#code[parent] = code
      this.#child[parent] = node
    } else (this.#more[parent] ??= new Map()).set(code, node)
    return node
  }

  /** Sets fail links: the longest suffix that is the start of a form. */
  #link(): void {
    const waiting = [...this.#first.values()]
    for (let at = 0; at < waiting.length; at++) {
      const node = waiting[at]!
      const fail = this.#fail[node]!
      this.#shorter[node] = this.#form[fail] ? fail : this.#shorter[fail]!
      for (const [code, child] of this.#childrenOf(node)) {
        this.#fail[child] = this.next(fail, code)
        waiting.push(child)
      }
    }
  }

  #childrenOf(node: number): [code: number, child: number][] {
    if (this.#child[node] === ROOT) return []
    return [[this.#code[node]!, this.#child[node]!], ...(this.#more[node] ?? [])]
  }
}
