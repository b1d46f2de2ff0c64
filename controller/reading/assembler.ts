import { relative } from 'node:path'
import type { Pieces } from '../../platform/async/time-slices.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Labels } from '../../schemas/resource.ts'
import type { SourceSync } from '../../schemas/source.ts'
import type { DesiredResource, DesiredState, Position, KnownKinds } from './desired-state.ts'
import { manifestOf, type Evaluation, type ManifestDocument, type ManifestFile } from './document.ts'
import { evaluate } from './evaluator.ts'
import { compare, idOf, ordering } from './graph.ts'
import { Names } from './declared-names.ts'
import { Locator, memberSteps } from './yaml/positions.ts'
import { contentDigest, revisionOf } from './revision.ts'
import type { Environment } from './environment.ts'

export interface AssembleInput {
  files: readonly ManifestFile[]
  digests: Iterable<{ path: string; digest: string }>
  sync: SourceSync
  /** Errors of `svc.yaml`. */
  diagnostics: readonly Diagnostic[]
  environment: Environment
}

/** Unchanged resources keep their object identity. */
export class Assembler {
  readonly locator = new Locator()
  readonly #strict: boolean

  constructor(
    readonly known: KnownKinds,
    strict: boolean,
  ) {
    this.#strict = strict
  }

  *assemble(input: AssembleInput): Pieces<DesiredState> {
    const { files, environment } = input
    const documents = files.flatMap((file) => file.documents)
    const { kinds } = this.known
    const names = yield* Names.of(files, { kinds, environment, locator: this.locator })
    const { ordered, cycles } = yield* ordering(
      names.nodes,
      kinds.map((kind) => kind.kind),
    )
    const diagnostics = [
      ...input.diagnostics,
      ...files.flatMap((file) => file.diagnostics),
      ...(yield* names.duplicates()),
      ...(yield* names.unknown(documents)),
      ...names.cyclic(cycles),
    ]
    const resources: DesiredResource[] = []
    // Documents without an order (cycles) come last and are only checked.
    for (const document of new Set([...ordered.map((node) => node.document), ...documents])) {
      yield
      const blocked =
        names.isFaulty(document) || document.references.some((reference) => names.blocks(idOf(reference), environment))
      const evaluation = evaluate(document, environment, { blocked, locator: this.locator, kinds })
      diagnostics.push(...evaluation.diagnostics)
      const faulty = this.#strict && evaluation.diagnostics.length > 0
      if (!evaluation.spec || faulty) continue
      const resource = (evaluation.resource ??= new ManifestResource(document, evaluation, this.locator))
      environment.resources.set(idOf(resource), resource)
      resources.push(resource)
    }
    const all = sorted(this.#strict ? diagnostics.map(asError) : diagnostics)
    const texts = environment
      .texts()
      .map(({ path, text }) => ({ path: relative(environment.root, path), digest: contentDigest(text) }))
    return {
      revision: revisionOf([...input.digests, ...texts]),
      resources,
      diagnostics: all,
      complete: !all.some((diagnostic) => diagnostic.severity === 'error'),
      sync: input.sync,
    }
  }
}

class ManifestResource implements DesiredResource {
  readonly kind: string
  readonly name: string
  readonly file: string
  readonly line: number
  readonly column: number
  readonly spec: unknown
  readonly sync: SourceSync
  readonly labels: Labels | undefined
  readonly dependsOn: string[]
  readonly #document: ManifestDocument
  readonly #locator: Locator

  constructor(document: ManifestDocument, { spec, sync, labels }: Evaluation, locator: Locator) {
    this.spec = spec
    this.sync = sync
    this.labels = labels
    this.kind = document.definition.kind
    this.name = document.name!
    this.file = document.file
    this.line = document.nameAt.line
    this.column = document.nameAt.column
    this.dependsOn = [...new Set(document.references.map(idOf))]
    this.#document = document
    this.#locator = locator
  }

  position(path: string): Position {
    const { path: written } = memberSteps(manifestOf(this.#document), path, this.#document.definition)
    return written.length === 0
      ? { line: this.line, column: this.column }
      : this.#locator.at(this.#document, written, 'key')
  }

  /** Includes fields written in another spelling, such as a named policy. */
  setsField(path: string): boolean {
    const manifest = manifestOf(this.#document)
    const { path: written, rest } = memberSteps(manifest, path, this.#document.definition)
    if (written.length === 0 || rest.length === 0) return written.length > 0
    const value = written.reduce((at: any, segment) => at?.[segment], manifest)
    return typeof value !== 'object' || value === null
  }
}

function asError(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'error' ? diagnostic : { ...diagnostic, severity: 'error' }
}

function sorted(diagnostics: Diagnostic[]): Diagnostic[] {
  return diagnostics.sort(
    (a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.code, b.code),
  )
}
