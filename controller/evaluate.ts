// One manifest made canonical: its kind's own checks, its variables, its spec. Done again only when something it leans on has changed.
import type { Diagnostic } from '../schemas/diagnostic.ts'
import type { Fault } from '../schemas/kind.ts'
import { diagnosticOf, type ManifestDocument } from './document.ts'
import type { Locator } from './positions.ts'
import { substitute } from './variables.ts'
import { RecordingContext, type World } from './world.ts'

export interface Evaluation {
  diagnostics: Diagnostic[]
  /** Undefined when the manifest has faults, or waits for one that has. */
  spec: object | undefined
}

interface Remembered extends Evaluation {
  blocked: boolean
  context: RecordingContext
}

export class Evaluator {
  readonly #known = new WeakMap<ManifestDocument, Remembered>()
  readonly #locator: Locator

  constructor(locator: Locator) {
    this.#locator = locator
  }

  /** `blocked`: something it depends on has faults, so that it is checked and no more. The same object again while nothing has changed. */
  evaluate(document: ManifestDocument, world: World, blocked: boolean): Evaluation {
    const known = this.#known.get(document)
    if (known && known.blocked === blocked && known.context.holdsIn(world)) return known
    const context = new RecordingContext(world, document.file)
    const result = { ...this.#look(document, context, blocked), blocked, context }
    this.#known.set(document, result)
    return result
  }

  #look(document: ManifestDocument, context: RecordingContext, blocked: boolean): Evaluation {
    const { definition } = document
    const { manifest, faults } = substitute(document.manifest, definition.secrets, (name) => context.variable(name))
    faults.push(...checkFaults(document, context))
    let spec: object | undefined
    if (document.shapeFaults.length === 0 && !blocked && !faults.some(isError)) {
      try {
        spec = definition.canonicalise(manifest, context) as object
      } catch (error) {
        faults.push(failed(document, error))
      }
    }
    if (!blocked) faults.push(...unreachable(document, context))
    return {
      spec: faults.some(isError) ? undefined : spec,
      diagnostics: faults.map((fault) => this.#diagnostic(document, fault)),
    }
  }

  #diagnostic(document: ManifestDocument, fault: Fault): Diagnostic {
    const at = fault.path.length === 0 ? document.nameAt : this.#locator.at(document, fault.path, 'value')
    return diagnosticOf(document.file, fault, at, { kind: document.definition.kind, name: document.name })
  }
}

function isError(fault: Fault): boolean {
  return fault.severity !== 'warning'
}

/** A kind's own checks; of an ill-formed manifest, without what its shape already explains. */
function checkFaults(document: ManifestDocument, context: RecordingContext): Fault[] {
  const { definition, manifest, shapeFaults } = document
  try {
    const faults = definition.check(manifest, context)
    if (shapeFaults.length === 0) return faults
    const words = new Set(shapeFaults.flatMap((fault) => fault.words))
    return faults.filter((fault) => !isEcho(fault, words))
  } catch (error) {
    return shapeFaults.length === 0 ? [failed(document, error)] : []
  }
}

/** A member that was left out for its faults, or misspelt, is not missing as well. */
function isEcho({ code, message, hint }: Fault, words: ReadonlySet<string>): boolean {
  const said = code === 'missing-member' ? `${message} ${hint}` : code === 'invalid-value' ? message : ''
  return said.split(/[^A-Za-z0-9_]+/).some((word) => words.has(word))
}

function failed({ definition, name }: ManifestDocument, error: unknown): Fault {
  return {
    path: [],
    code: 'kind-failed',
    message: `${definition.title} "${name}" cannot be judged: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'this is a fault of svc, not of the manifest: please report it',
  }
}

/** A spec that a manifest must see into, and that stands in no manifest of this source. */
function unreachable({ references }: ManifestDocument, context: RecordingContext): Fault[] {
  return [...new Set(context.outOfReach)].flatMap((id) => {
    const reference = references.find(({ kind, name }) => `${kind}/${name}` === id)
    return reference
      ? [
          {
            path: reference.path,
            code: 'reference-out-of-reach',
            message: `"${reference.name}" exists, but not among these manifests, and what it says is needed here`,
            hint: 'declare it in the same folder of manifests',
          },
        ]
      : []
  })
}
