import { useMemo } from 'react'
import { markdownBlocks, type Inline, type MarkdownBlock } from './markdown-nodes.ts'
import { Quoted } from './quoted.tsx'
import styles from './markdown.module.css'

function Inlines({ nodes }: { nodes: readonly Inline[] }) {
  return nodes.map((node, index) => {
    switch (node.kind) {
      case 'text':
        return <span key={index}>{node.text}</span>
      case 'code':
        return <code key={index}>{node.text}</code>
      case 'break':
        return <br key={index} />
      case 'link':
        return (
          <a key={index} href={node.href} target="_blank" rel="noopener noreferrer">
            <bdi>
              <Inlines nodes={node.children} />
            </bdi>{' '}
            <span className="soft">
              (<Quoted text={node.href} />)
            </span>
          </a>
        )
      default: {
        const Mark = node.kind
        return (
          <Mark key={index}>
            <Inlines nodes={node.children} />
          </Mark>
        )
      }
    }
  })
}

function Block({ block }: { block: MarkdownBlock }) {
  switch (block.kind) {
    case 'heading':
      return (
        <p>
          <b>
            <Inlines nodes={block.children} />
          </b>
        </p>
      )
    case 'paragraph':
      return (
        <p>
          <Inlines nodes={block.children} />
        </p>
      )
    case 'code':
      return <pre>{block.text}</pre>
    case 'rule':
      return <hr />
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      )
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul'
      return (
        <List>
          {block.items.map((item, index) => (
            <li key={index}>
              <Blocks blocks={item} />
            </li>
          ))}
        </List>
      )
    }
    case 'table':
      return (
        <table className="table">
          <tbody>
            {block.rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column}>
                    <Inlines nodes={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )
  }
}

function Blocks({ blocks }: { blocks: readonly MarkdownBlock[] }) {
  return blocks.map((block, index) => <Block key={index} block={block} />)
}

/** Text of an agent with its marks as elements; links show their address. Quoted and signed, as all text of others. */
export function SaidMarkdown({ by, text }: { by: string; text: string }) {
  const blocks = useMemo(() => markdownBlocks(text), [text])
  return (
    <blockquote className={`said ${styles['markdown']}`} dir="auto">
      <b>
        <Quoted text={by} />
      </b>
      {blocks === null ? <p>{text}</p> : <Blocks blocks={blocks} />}
    </blockquote>
  )
}
