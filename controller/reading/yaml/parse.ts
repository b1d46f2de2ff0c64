import { isMap, isScalar, type Document, type Node, type YAMLMap } from 'yaml'
import { atOnce, type Pieces } from '../../../platform/async/time-slices.ts'
import { composeDocuments } from '../../bounded-yaml.ts'
import { syntaxFaults, type TextFault } from './syntax-faults.ts'
import { plainValue } from './values.ts'

export const MOST_BYTES = 1024 * 1024

export interface Extent {
  from: number
  to: number
}

export interface YamlDocument extends Extent {
  /** Partial if the document has errors; undefined if empty. */
  value: unknown
  /** Of the field `name`, else of the first content. */
  nameOffset: number
  faults: TextFault[]
}

/** `faults` concern the whole file. */
export interface ParsedYaml {
  documents: YamlDocument[]
  faults: TextFault[]
}

/** Parses text without a byte order mark. Never throws. */
export const parseYaml = (text: string): ParsedYaml => atOnce(yamlPieces(text))

export function* yamlPieces(text: string): Pieces<ParsedYaml> {
  const { documents, excess } = yield* composeDocuments(text)
  const read: YamlDocument[] = []
  for (const document of documents) {
    yield
    read.push(readDocument(document, text))
  }
  return { documents: read, faults: excess ? [excess] : [] }
}

function readDocument(document: Document.Parsed, text: string): YamlDocument {
  const contents = document.contents as Node | null
  const faults = syntaxFaults(document, text)
  if (isBlank(contents))
    return { value: undefined, from: document.range[0], to: document.range[2], nameOffset: document.range[0], faults }
  const [start, , to] = contents!.range!
  return {
    value: plainValue(contents, faults),
    from: lineStart(text, start),
    to,
    nameOffset: isMap(contents) ? nameOffset(contents, start) : start,
    faults,
  }
}

function isBlank(contents: Node | null): boolean {
  return (
    contents === null ||
    (isScalar(contents) && contents.value === null && !contents.source && contents.range![0] === contents.range![1])
  )
}

/** Includes the indentation of a block, so that it can be parsed alone. */
function lineStart(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return text.slice(start, offset).trim() === '' ? start : offset
}

function nameOffset(map: YAMLMap, fallback: number): number {
  for (const { key } of map.items) if (isScalar(key) && key.value === 'name') return key.range![0]
  return fallback
}
