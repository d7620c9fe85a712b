"""`unittest`: cases, assertions, subtests, mocks, a runner into memory."""

import io
import unittest
from unittest import mock


def fetch(client, key):
    return client.get(key, timeout=3).upper()


class Tests(unittest.TestCase):
    def setUp(self):
        self.items = [1, 2]

    def test_equal(self):
        self.assertEqual(sum(self.items), 3)
        self.assertIn(1, self.items)
        self.assertAlmostEqual(0.1 + 0.2, 0.3)

    def test_raises(self):
        with self.assertRaisesRegex(ValueError, "invalid literal"):
            int("x")

    def test_fails(self):
        self.assertEqual([1], [2])

    def test_mock(self):
        client = mock.Mock()
        client.get.return_value = "value"
        self.assertEqual(fetch(client, "k"), "VALUE")
        client.get.assert_called_once_with("k", timeout=3)
        with mock.patch("builtins.len", return_value=99):
            self.assertEqual(len([]), 99)

    @unittest.skip("not today")
    def test_skipped(self):
        pass

    def test_subtests(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertLess(n, 3)


result = unittest.TextTestRunner(stream=io.StringIO()).run(unittest.defaultTestLoader.loadTestsFromTestCase(Tests))
print(result.testsRun, len(result.failures), len(result.errors), len(result.skipped), result.wasSuccessful())
print(result.failures[0][0].id().split(".")[-1], "Lists differ: [1] != [2]" in result.failures[0][1])
magic = mock.MagicMock()
magic.__len__.return_value = 4
print(len(magic), mock.call(1) == mock.call(1), mock.sentinel.x is mock.sentinel.x)
