import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Fault } from '../../schemas/kind.ts'
import { diagnosticOf, manifestOf, type Evaluated, type Evaluation, type ManifestDocument } from './document.ts'
import type { Locator } from './yaml/positions.ts'
import type { KnownKinds } from './desired-state.ts'
import { quotable } from './secret-texts.ts'
import { normalSync } from './rules/sync-faults.ts'
import { substitute } from './variables.ts'
import type { Environment } from './environment.ts'
import { isCurrentIn, RecordingContext } from './manifest-context.ts'

/**
 * Makes a manifest canonical; with `blocked` (a dependency has errors) only checks it. Returns the same object while
 * inputs are unchanged.
 */
export function evaluate(
  document: ManifestDocument,
  environment: Environment,
  { blocked, locator, kinds }: { blocked: boolean; locator: Locator } & KnownKinds,
): Evaluated {
  const known = document.evaluated
  if (known && known.blocked === blocked && isCurrentIn(environment, known.answers)) return known
  const context = new RecordingContext(environment, document.file, kinds)
  const { diagnostics, spec, sync, labels } = canonicalise(document, context, { blocked, locator })
  if (spec) document.manifest = null
  // No object spread: V8 keeps a hidden class per spread object, and there are thousands.
  return (document.evaluated = { diagnostics, spec, sync, labels, blocked, answers: context.answers, resource: null })
}

function canonicalise(
  document: ManifestDocument,
  context: RecordingContext,
  { blocked, locator }: { blocked: boolean; locator: Locator },
): Evaluation {
  const { definition } = document
  const written = manifestOf(document)
  const { manifest, faults } = substitute(written, definition.secrets, (name) => context.variable(name))
  faults.push(...checkFaults(document, written, context))
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
    sync: normalSync(written.sync),
    labels: written.labels,
    diagnostics:
      faults.length === 0 ? [] : diagnosticsOf(document, faults, { manifests: [written, manifest], locator }),
  }
}

function diagnosticsOf(
  document: ManifestDocument,
  faults: readonly Fault[],
  { manifests, locator }: { manifests: readonly unknown[]; locator: Locator },
): Diagnostic[] {
  const { definition, name, nameAt, file, text } = document
  const shown = quotable(text, manifests, definition.secrets)
  return faults.map((fault) => {
    const at = fault.path.length === 0 ? nameAt : locator.at(document, fault.path, 'value')
    return diagnosticOf(file, shown(fault), at, { kind: definition.kind, name })
  })
}

function isError(fault: Fault): boolean {
  return fault.severity !== 'warning'
}

/** Omits errors that a shape error already explains. */
function checkFaults(document: ManifestDocument, manifest: unknown, context: RecordingContext): Fault[] {
  const { definition, shapeFaults } = document
  try {
    const faults = definition.check(manifest, context)
    if (shapeFaults.length === 0) return faults
    const atFault = new Set(shapeFaults.flatMap((fault) => fault.words))
    return faults.filter((fault) => !isEcho(fault, atFault))
  } catch (error) {
    return shapeFaults.length === 0 ? [failed(document, error)] : []
  }
}

/** A misspelt field, or one dropped for its errors, is not also reported as missing. */
function isEcho({ code, members = [] }: Fault, atFault: ReadonlySet<string>): boolean {
  return (code === 'missing-member' || code === 'invalid-value') && members.some((member) => atFault.has(member))
}

function failed({ definition, name }: ManifestDocument, error: unknown): Fault {
  return {
    path: [],
    code: 'kind-failed',
    message: `${definition.title} "${name}" cannot be checked: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'internal error (bug in svc), not an error of the manifest: please report it',
  }
}

function unreachable({ references }: ManifestDocument, context: RecordingContext): Fault[] {
  return [...new Set(context.outOfReach)].flatMap((id) => {
    const reference = references.find(({ kind, name }) => `${kind}/${name}` === id)
    return reference
      ? [
          {
            path: reference.path,
            code: 'reference-out-of-reach',
            message: `"${reference.name}" exists, but its spec is needed here and it is not among these manifests`,
            hint: 'declare it in the same folder of manifests',
          },
        ]
      : []
  })
}
