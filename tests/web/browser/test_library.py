"""The Library in a browser."""


def test_the_library_shows_the_folder_and_names_the_damaged_file(browser):
    browser.go("/")
    assert browser.find(".library-file", "river.toml")
    assert "damaged" in browser.find(".library-file .error").text
    assert "token" not in browser.driver.current_url
    assert browser.errors() == []
