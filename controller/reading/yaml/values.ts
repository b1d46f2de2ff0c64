import { isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml'
import { KNOWN_MEMBERS } from '../../../schemas/validation/member-names.ts'
import { textFault } from '../../../schemas/validation/text.ts'
import { MOST_FAULTS, type TextFault } from './syntax-faults.ts'

/** Characters that the aliases of a document may add. */
const MOST_EXPANDED = 128 * 1024

interface Anchored {
  value: unknown
  size: number
}

interface Reading {
  faults: TextFault[]
  anchors: Map<string, Anchored | null>
  expanded: number
}

function addFault(
  reading: Reading,
  node: { range?: [number, number, number] | null },
  code: string,
  message: string,
  hint: string,
): void {
  if (reading.faults.length < MOST_FAULTS) reading.faults.push({ offset: node.range![0], code, message, hint })
}

export function plainValue(contents: Node | null, faults: TextFault[]): unknown {
  return plain(contents, { faults, anchors: new Map(), expanded: 0 })
}

function plain(node: unknown, reading: Reading): unknown {
  if (isAlias(node)) return expandAlias(node, reading)
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null
  if (node.anchor === undefined) return plainNode(node, reading)
  const before = reading.expanded
  reading.anchors.set(node.anchor, null)
  const value = plainNode(node, reading)
  reading.anchors.set(node.anchor, { value, size: node.range![1] - node.range![0] + reading.expanded - before })
  return value
}

function plainNode(node: Scalar | YAMLMap | { items: unknown[] }, reading: Reading): unknown {
  if (isScalar(node)) return checkedText(plainScalar(node), node, reading)
  if (isMap(node)) return plainMap(node, reading)
  return node.items.map((item) => plain(item, reading))
}

/** Values of older YAML types, such as dates, stay text. */
function plainScalar(node: Scalar): unknown {
  return typeof node.value === 'object' && node.value !== null ? (node.source ?? '') : node.value
}

/** Escapes such as "\0" and "\ud800" give texts that no file can contain. */
function checkedText<T>(value: T, node: Scalar, reading: Reading): T {
  const fault = typeof value === 'string' ? textFault(value) : null
  if (fault)
    addFault(reading, node, fault.code, `the text contains ${fault.seen}`, 'remove it, or write \\\\ for a backslash')
  return value
}

function plainMap(map: YAMLMap, reading: Reading): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const { key, value } of map.items) {
    const name = keyName(key, reading)
    if (name === null) continue
    if (Object.hasOwn(result, name))
      addFault(
        reading,
        key as Scalar,
        'duplicate-key',
        `${quoted(name)} is defined twice in the same mapping`,
        'keep one of the two',
      )
    else result[name] = plain(value, reading)
  }
  return result
}

/** Unknown names are not quoted: one may be a misplaced secret. */
const quoted = (name: string): string => (KNOWN_MEMBERS.has(name) ? `"${name}"` : 'this name')

function keyName(key: unknown, reading: Reading): string | null {
  if (!isScalar(key)) {
    addFault(
      reading,
      key as Node,
      'invalid-key',
      'a field name must be a plain string; got a mapping, a list or an alias',
      'write name: value',
    )
    return null
  }
  const name = checkedText(typeof key.value === 'string' ? key.value : (key.source ?? String(key.value)), key, reading)
  if (name !== '__proto__') return name
  addFault(reading, key, 'invalid-key', '"__proto__" is not allowed as a field name', 'choose another name')
  return null
}

/** Aliases share the object of their anchor; their expanded size is limited. */
function expandAlias(node: { source: string; range?: [number, number, number] | null }, reading: Reading): unknown {
  const anchored = reading.anchors.get(node.source)
  if (!anchored) {
    const what = anchored === null ? 'an alias is inside its own anchor' : 'an alias has no anchor before it'
    addFault(
      reading,
      node,
      'unknown-alias',
      what,
      'put & and its name at the value to repeat; quote a string that begins with *',
    )
    return null
  }
  if (reading.expanded > MOST_EXPANDED) return null
  reading.expanded += anchored.size
  if (reading.expanded > MOST_EXPANDED) {
    addFault(
      reading,
      node,
      'alias-bomb',
      `the aliases of this document expand to more than ${MOST_EXPANDED / 1024} KiB`,
      'write the values out, or use fewer aliases',
    )
    return null
  }
  return anchored.value
}
