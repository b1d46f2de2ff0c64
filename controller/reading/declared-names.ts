import type { KnownKinds } from './desired-state.ts'
import type { Pieces } from '../../platform/async/time-slices.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import { builtInSpec, type Path, type Reference } from '../../schemas/kind.ts'
import { diagnosticOf, type ManifestDocument, type ManifestFile } from './document.ts'
import { idOf, type GraphNode } from './graph.ts'
import { nearestHint } from '../../schemas/validation/nearest.ts'
import type { Locator } from './yaml/positions.ts'
import type { Environment } from './environment.ts'

export interface NamedNode extends GraphNode {
  document: ManifestDocument
}

interface NamesParts extends KnownKinds {
  environment: Environment
  locator: Locator
}

/** Limit on the listed members of a cycle. */
const MOST_NAMED = 20

/** Only the first get a name suggestion: thousands of unknown references have one cause. */
const MOST_COMPARED = 200

export class Names {
  readonly nodes: NamedNode[] = []
  readonly #declared = new Map<string, ManifestDocument[]>()
  readonly #suspected: ReadonlySet<string>
  readonly #faulty = new Set<ManifestDocument>()
  readonly #parts: NamesParts

  private constructor(suspected: ReadonlySet<string>, parts: NamesParts) {
    this.#suspected = suspected
    this.#parts = parts
  }

  static *of(files: readonly ManifestFile[], parts: NamesParts): Pieces<Names> {
    const names = new Names(new Set(files.flatMap((file) => file.suspected)), parts)
    for (const file of files) {
      for (const document of file.documents) names.#declare(document)
      yield
    }
    return names
  }

  #declare(document: ManifestDocument): void {
    const { definition, name, file } = document
    if (name === null) return
    const id = `${definition.kind}/${name}`
    const same = this.#declared.get(id)
    if (same) return void same.push(document)
    this.#declared.set(id, [document])
    this.nodes.push({ kind: definition.kind, name, file, dependsOn: document.references.map(idOf), document })
  }

  isFaulty(document: ManifestDocument): boolean {
    return this.#faulty.has(document)
  }

  /**
   * True if dependents must wait: the resource is declared or suspected but has no valid spec. Call in dependency
   * order.
   */
  blocks(id: string, environment: Environment): boolean {
    return !environment.resources.has(id) && (this.#declared.has(id) || this.#suspected.has(id))
  }

  *duplicates(): Pieces<Diagnostic[]> {
    const diagnostics: Diagnostic[] = []
    for (const documents of this.#declared.values()) {
      if (documents.length === 1) continue
      for (const document of documents) {
        diagnostics.push(this.#duplicate(document, documents))
        yield
      }
    }
    return diagnostics
  }

  #duplicate(document: ManifestDocument, all: readonly ManifestDocument[]): Diagnostic {
    const others = all.slice(0, 4).filter((other) => other !== document)
    const shown = others.slice(0, 3).map((other) => `${other.file}:${other.nameAt.line}`)
    const left = all.length - 1 - shown.length
    const more = left > 0 ? ` and ${left} more` : ''
    return this.#at(
      document,
      ['name'],
      'duplicate-name',
      `${document.definition.title} "${document.name}" is also declared at ${shown.join(', ')}${more}`,
      'rename one of them, or delete it',
    )
  }

  *unknown(documents: readonly ManifestDocument[]): Pieces<Diagnostic[]> {
    const diagnostics: Diagnostic[] = []
    for (const document of documents) {
      yield
      for (const reference of document.references) {
        if (!this.#isKnown(reference))
          diagnostics.push(this.#unknown(document, reference, diagnostics.length < MOST_COMPARED))
      }
    }
    return diagnostics
  }

  #unknown(document: ManifestDocument, { kind, name, path }: Reference, compared: boolean): Diagnostic {
    const title = this.#parts.kinds.find((known) => known.kind === kind)!.title
    const known = compared ? this.#namesOf(kind) : []
    return this.#at(
      document,
      path,
      'unknown-reference',
      `${title} "${name}" is not declared in this source and does not exist`,
      nearestHint(name, known, `declare it, sync the source that declares it, or name another ${title}`),
    )
  }

  #namesOf(kind: string): string[] {
    const builtIn = this.#parts.kinds.find((known) => known.kind === kind)?.builtIn ?? []
    return [...this.nodes.filter((node) => node.kind === kind), ...builtIn].map(({ name }) => name)
  }

  #isKnown(reference: Reference): boolean {
    const id = idOf(reference)
    const { environment, kinds } = this.#parts
    return (
      this.#declared.has(id) ||
      this.#suspected.has(id) ||
      environment.ask('exists', id) === true ||
      builtInSpec(kinds, reference.kind, reference.name) !== undefined
    )
  }

  /** Each diagnostic lists the cycle from its own resource. */
  cyclic(cycles: readonly NamedNode[][]): Diagnostic[] {
    return cycles.flatMap((cycle) => {
      const members = cycle.slice(0, MOST_NAMED)
      return members.map((node, index) => this.#cycleMember(cycle, node, index))
    })
  }

  #cycleMember(cycle: readonly NamedNode[], node: NamedNode, index: number): Diagnostic {
    const members = new Set(cycle.map(idOf))
    const round = [...cycle.slice(index), ...cycle.slice(0, index)].slice(0, MOST_NAMED).map((member) => member.name)
    const reference = node.document.references.find((other) => members.has(idOf(other)))!
    const whole =
      cycle.length > MOST_NAMED
        ? `${round.join(' → ')} → … (${cycle.length} resources)`
        : [...round, node.name].join(' → ')
    return this.#at(
      node.document,
      reference.path,
      'cycle',
      `dependency cycle: ${whole}`,
      'remove one of the references',
    )
  }

  #at(document: ManifestDocument, path: Path, code: string, message: string, hint: string): Diagnostic {
    this.#faulty.add(document)
    return diagnosticOf(document.file, { code, message, hint }, this.#parts.locator.at(document, path, 'value'), {
      kind: document.definition.kind,
      name: document.name,
    })
  }
}
