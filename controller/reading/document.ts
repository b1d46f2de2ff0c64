import { basename } from 'node:path'
import type { Pieces } from '../../platform/async/time-slices.ts'
import type { Diagnostic } from '../../schemas/diagnostic.ts'
import type { Fault, KindDefinition, Path, Reference } from '../../schemas/kind.ts'
import type { FileFault } from './yaml/text-decoding.ts'
import type { DesiredResource, Position, KnownKinds } from './desired-state.ts'
import type { Answers } from './manifest-context.ts'
import { findKind } from '../../schemas/kinds.ts'
import { nearestHint } from '../../schemas/validation/nearest.ts'
import { Lines, type Locator, type PlacedText } from './yaml/positions.ts'
import { dependsOn, ownReferences } from './references.ts'
import { shapeOf, withoutFaulty, type ShapeFault } from '../../schemas/validation/manifest.ts'
import { quotable } from './secret-texts.ts'
import type { Labels } from '../../schemas/resource.ts'
import type { SourceSync } from '../../schemas/source.ts'
import { syncFaults } from './rules/sync-faults.ts'
import { parseYaml, yamlPieces, type YamlDocument } from './yaml/parse.ts'
import { MOST_FAULTS } from './yaml/syntax-faults.ts'

export interface Evaluation {
  diagnostics: Diagnostic[]
  /** Undefined if the manifest has errors or depends on one that has. */
  spec: object | undefined
  sync: SourceSync
  labels: Labels | undefined
}

/** Valid while the recorded answers are unchanged. */
export interface Evaluated extends Evaluation {
  blocked: boolean
  answers: Answers
  resource: DesiredResource | null
}

/** A document of a known kind, valid or not. */
export interface ManifestDocument extends PlacedText {
  file: string
  definition: KindDefinition<any>
  name: string | null
  nameAt: Position
  /** As written, without invalid fields. Null once canonical, to save memory: use `manifestOf`. */
  manifest: any
  shapeFaults: readonly Pick<ShapeFault, 'path' | 'words'>[]
  /** Includes `depends_on`. */
  references: readonly Reference[]
  evaluated: Evaluated | null
}

export interface ManifestFile {
  path: string
  documents: ManifestDocument[]
  /** Resources (`kind/name`) that an unreadable part may declare: references to them are not errors. */
  suspected: string[]
  diagnostics: Diagnostic[]
}

export function manifestOf({ manifest, text, from, to }: ManifestDocument): any {
  return manifest ?? parseYaml(text.slice(from, to)).documents[0]!.value
}

type Said = Omit<Fault, 'path'>

export function diagnosticOf(
  file: string,
  { code, message, hint, severity }: Said,
  at: Position,
  about: { kind: string | null; name: string | null },
): Diagnostic {
  return { severity: severity ?? 'error', code, message, hint, file, line: at.line, column: at.column, ...about }
}

/** The name of an unreadable file suggests the resource it declares. */
export function brokenFile(path: string, folderKind: KindDefinition<any> | null, fault: FileFault): ManifestFile {
  const stem = basename(path).replace(/\.ya?ml$/i, '')
  const diagnostic = diagnosticOf(path, fault, fault.at ?? { line: 1, column: 1 }, {
    kind: folderKind?.kind ?? null,
    name: null,
  })
  return { path, documents: [], suspected: folderKind ? [`${folderKind.kind}/${stem}`] : [], diagnostics: [diagnostic] }
}

/** `folderKind`: kind implied by the folder. */
export function* readFile(
  path: string,
  text: string,
  folderKind: KindDefinition<any> | null,
  known: KnownKinds,
  locator: Locator,
): Pieces<ManifestFile> {
  const { documents, faults } = yield* yamlPieces(text)
  const written = documents.filter((document) => document.value !== undefined || document.faults.length > 0)
  if (written.length === 0 && faults.length === 0) {
    return brokenFile(path, folderKind, {
      code: 'empty-file',
      message: text.trim() === '' ? 'the file is empty' : 'the file contains only comments',
      hint: 'write a manifest, or delete the file',
    })
  }
  const reader = new FileReader(path, text, folderKind, known, locator)
  for (const fault of faults) reader.add(fault, reader.lines.at(fault.offset))
  for (const document of written) {
    yield
    reader.read(document)
  }
  // slice() drops spare capacity, which thousands of one-element lists would keep.
  return { path, documents: reader.documents.slice(), suspected: reader.suspected, diagnostics: reader.diagnostics() }
}

class FileReader {
  readonly documents: ManifestDocument[] = []
  readonly suspected: string[] = []
  readonly lines: Lines
  readonly #diagnostics: Diagnostic[] = []
  #omitted = 0
  readonly #known: KnownKinds

  constructor(
    readonly path: string,
    readonly text: string,
    readonly folderKind: KindDefinition<any> | null,
    known: KnownKinds,
    readonly locator: Locator,
  ) {
    this.#known = known
    this.lines = new Lines(text)
  }

  /** Counts errors beyond the limit: thousands in one file have one cause. */
  add(fault: Said, at: Position | (() => Position), kind: string | null = null, name: string | null = null): void {
    if (this.#diagnostics.length < MOST_FAULTS)
      this.#diagnostics.push(diagnosticOf(this.path, fault, typeof at === 'function' ? at() : at, { kind, name }))
    else this.#omitted++
  }

  diagnostics(): Diagnostic[] {
    const last = this.#diagnostics.at(-1)
    if (!last || this.#omitted === 0) return this.#diagnostics
    return [
      ...this.#diagnostics,
      {
        ...last,
        severity: 'error',
        code: 'too-many-faults',
        message: `at least ${this.#omitted} more errors in this file`,
        hint: 'fix the errors above first',
        kind: null,
        name: null,
      },
    ]
  }

  read(document: YamlDocument): void {
    const { value, from, to } = document
    const members = isMapping(value) ? value : null
    const name = typeof members?.name === 'string' ? members.name : null
    const kind = this.#kindOf(members ?? {})
    const nameAt = this.lines.at(document.nameOffset)
    if (document.faults.length > 0) return this.#syntaxFaults(document, kind.known, name)
    if (!members) return this.add(notAMapping(value), nameAt)
    const placed = { text: this.text, from, to }
    if (kind.fault) return this.#refuse(kind.fault, placed, nameAt, name)
    this.documents.push(this.#checked(kind.known!, members, { text: this.text, from, to, name, nameAt }))
  }

  #refuse(fault: Fault, placed: PlacedText, nameAt: Position, name: string | null): void {
    this.#suspect(name, this.#known.kinds)
    this.add(fault, () => (fault.path.length === 0 ? nameAt : this.locator.at(placed, fault.path, 'value')), null, name)
  }

  /** Reports only the first syntax error per line: one mistake often causes more. */
  #syntaxFaults(document: YamlDocument, kind: KindDefinition<any> | null, name: string | null): void {
    const lines = new Set<number>()
    for (const fault of document.faults) {
      const at = this.lines.at(fault.offset)
      if (fault.code !== 'yaml-syntax' || !lines.has(at.line)) this.add(fault, at, kind?.kind, name)
      lines.add(at.line)
    }
    this.#suspect(name, kind ? [kind] : this.#known.kinds)
  }

  #suspect(name: string | null, kinds: readonly KindDefinition<any>[]): void {
    if (name !== null) this.suspected.push(...kinds.map((kind) => `${kind.kind}/${name}`))
  }

  #kindOf(members: Record<string, unknown>): { known: KindDefinition<any> | null; fault?: Fault } {
    const all = this.#known.kinds
    if (members.kind === undefined && this.folderKind) return { known: this.folderKind }
    const words = all.map((kind) => kind.manifestKind)
    if (members.kind === undefined) {
      const fault = {
        path: [],
        code: 'kind-missing',
        message: 'the manifest has no kind',
        hint: `add kind: one of ${words.join(', ')}; or move the file into a folder named ${all.map((kind) => kind.kind).join(', ')}`,
      }
      return { known: null, fault }
    }
    const known = typeof members.kind === 'string' ? findKind(members.kind, all) : undefined
    if (known) return { known }
    const message =
      typeof members.kind === 'string' ? `unknown kind "${members.kind.slice(0, 60)}"` : 'kind must be a string'
    return {
      known: null,
      fault: {
        path: ['kind'],
        code: 'unknown-kind',
        message,
        hint: nearestHint(String(members.kind), words, `write one of ${words.join(', ')}`),
      },
    }
  }

  #checked(
    definition: KindDefinition<any>,
    members: Record<string, unknown>,
    place: Pick<ManifestDocument, 'text' | 'from' | 'to' | 'name' | 'nameAt'>,
  ): ManifestDocument {
    const shape = shapeOf(definition.schema, definition.secrets)
    const written = (path: Path) => this.locator.textAt(place, path)
    const faults = shape.valid(members)
      ? []
      : this.#omitted > 0
        ? [OMITTED]
        : shape.faults(members, written).slice(0, MOST_FAULTS + 1)
    const manifest = faults.length === 0 ? members : withoutFaulty(members, faults)
    const dependencies = dependsOn(manifest, this.#known)
    const common = [...dependencies.faults, ...syncFaults(manifest.sync as SourceSync | undefined)]
    const shown = quotable(place.text, [members], definition.secrets, written)
    for (const fault of [...faults, ...common])
      this.add(shown(fault), () => this.locator.at(place, fault.path, fault.side), definition.kind, place.name)
    const references = [
      ...ownReferences(definition, manifest, faults.length === 0).filter(
        (reference) => reference.kind !== definition.kind || reference.name !== place.name,
      ),
      ...dependencies.references,
    ]
    const { text, from, to, name, nameAt } = place
    // No object spread: V8 may keep a hidden class per spread object, and there are thousands.
    return {
      text,
      from,
      to,
      name,
      nameAt,
      file: this.path,
      definition,
      manifest,
      shapeFaults: [...faults, ...common],
      references: references.filter(({ kind }) => this.#known.kinds.some((known) => known.kind === kind)).slice(),
      evaluated: null,
    }
  }
}

/** Placeholder for errors beyond the limit, which are not reported. */
const OMITTED: ShapeFault = { path: [], side: 'value', words: [], code: 'too-many-faults', message: '', hint: '' }

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function notAMapping(value: unknown): Said {
  return {
    code: 'not-a-mapping',
    message: `a manifest must be a mapping of fields; got ${Array.isArray(value) ? 'a list' : 'a single value'}`,
    hint: 'write fields as name: value; separate several manifests in one file with a line ---',
  }
}
