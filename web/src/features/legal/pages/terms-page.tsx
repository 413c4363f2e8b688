import { LegalDocument } from '../components/legal-document'
import '../texts'

export default function TermsPage() {
  return <LegalDocument name="terms" />
}
