// Describes a JSON Schema for authors of manifests.

export interface SchemaNode {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly SchemaNode[]
  oneOf?: readonly SchemaNode[]
  items?: SchemaNode
  properties?: Readonly<Record<string, SchemaNode>>
  patternProperties?: Readonly<Record<string, SchemaNode>>
  required?: readonly string[]
  description?: string
  format?: string
  minimum?: number
}

export interface MemberText {
  name: string
  node: SchemaNode
  required: boolean
  /** `type` of the alternatives that have the field, if not all have it. */
  of: string | null
}

export interface SchemaText {
  /** `text`, `list of text`, `one of zsh, bash`, … */
  type: string
  about: string | null
  members: MemberText[]
  /** Schema of fields with any name. */
  anyName: SchemaNode | null
}

export function describe(node: SchemaNode): SchemaText {
  const variants = (alternativesOf(node) ?? [node]).filter((each) => each.type !== 'null')
  const [first = {}] = variants
  const items = variants.flatMap((each) => (each.items ? (alternativesOf(each.items) ?? [each.items]) : []))
  const members = membersOf([...variants, ...items])
  return {
    type: typeOfAll(variants),
    about: node.description ?? (variants.length === 1 ? (first.description ?? null) : null),
    members,
    anyName: variants.map((each) => Object.values(each.patternProperties ?? {})[0]).find(Boolean) ?? null,
  }
}

const alternativesOf = ({ anyOf, oneOf }: SchemaNode): readonly SchemaNode[] | undefined => anyOf ?? oneOf

const wordsOf = (node: SchemaNode): readonly unknown[] | undefined =>
  node.const === undefined ? node.enum : [node.const]

function typeOfAll(variants: readonly SchemaNode[]): string {
  const words = [...new Set(variants.flatMap((each) => wordsOf(each) ?? []).map(String))]
  const said = words.length === 0 ? [] : [words.length === 1 ? `${words[0]}` : `one of ${words.join(', ')}`]
  return [...said, ...new Set(variants.filter((each) => !wordsOf(each)).map(typeOf))].join(' or ')
}

function typeOf(node: SchemaNode): string {
  if (alternativesOf(node) || wordsOf(node)) return describe(node).type
  switch (node.type) {
    case 'string':
      return node.format === 'date-time' ? 'time (RFC 3339)' : 'text'
    case 'integer':
      return 'whole number'
    case 'array':
      return `list of ${node.items ? typeOf(node.items) : 'anything'}`
    case 'object':
      return node.patternProperties ? `map of ${typeOf(Object.values(node.patternProperties)[0]!)}` : 'object'
    case undefined:
      return 'anything'
    default:
      return node.type === 'boolean' ? 'true or false' : node.type
  }
}

/** Merges the fields of all alternatives, noting the `type` of those that have it. */
function membersOf(variants: readonly SchemaNode[]): MemberText[] {
  const objects = variants.filter((each) => each.properties)
  const found = new Map<string, MemberText & { types: string[] }>()
  for (const { properties = {}, required = [] } of objects)
    for (const [name, node] of Object.entries(properties)) {
      const type = String(properties.type?.const ?? '')
      const before = found.get(name)
      if (before) {
        before.types.push(type)
        if (name === 'type') before.node = { anyOf: [...(before.node.anyOf ?? [before.node]), node] }
      } else found.set(name, { name, node, required: required.includes(name), of: null, types: [type] })
    }
  return [...found.values()].map(({ types, ...member }) => ({
    ...member,
    of: types.length < objects.length && types[0] ? types.join(', ') : null,
  }))
}
