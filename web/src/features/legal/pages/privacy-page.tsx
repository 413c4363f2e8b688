import { LegalDocument } from '../components/legal-document'
import '../texts'

export default function PrivacyPage() {
  return <LegalDocument name="privacy" />
}
