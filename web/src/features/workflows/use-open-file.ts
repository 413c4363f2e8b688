import { useNavigate } from 'react-router'
import { handFile } from '@/shared/lib/handed-file'
import { paths } from '@/shared/lib/paths'

/** Opens the graph of a file in the node editor. */
export function useOpenFile(): (file: File) => void {
  const navigate = useNavigate()
  return (file) => {
    handFile(file)
    void navigate(paths.editor({ new: 'true' }))
  }
}
